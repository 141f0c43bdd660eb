// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Tells the service manager how things are (sd_notify(3)): a datagram to a socket that it names.
struct ServiceManager: Sendable {
    private let address: String?

    /// Outside of a service there is nobody to tell.
    init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    }

    /// The variables are about this process; what it starts must not take them for its own.
    static func forgetVariables() {
        for name in ["NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    }

    func isReady(at url: String) { tell("READY=1\nSTATUS=Serving at \(url)\n") }

    func isStopping() { tell("STOPPING=1\nSTATUS=Finishing the last requests\n") }

    /// A manager that does not listen takes nothing from the service.
    private func tell(_ text: String) {
        guard let address else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        // An abstract name begins with NUL, which the variable writes as '@' (unix(7)).
        let bytes = (address.hasPrefix("@") ? [0] : [UInt8(ascii: "/")]) + address.utf8.dropFirst()
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        guard offset + bytes.count < MemoryLayout<sockaddr_un>.size else { return }
        withUnsafeMutableBytes(of: &name) { $0[offset..<offset + bytes.count].copyBytes(from: bytes) }
        let length = socklen_t(offset + bytes.count)
        withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                _ = text.withCString { sendto(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL), place, length) }
            }
        }
    }
}
