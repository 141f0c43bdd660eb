// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc

/// A listening socket that the service manager opened before it started this process (sd_listen_fds(3)): no request is
/// refused while the service starts again.
struct InheritedListener: Sendable {
    /// The first descriptor that is handed over.
    private static let first: Int32 = 3

    let descriptor: Int32
    let endpoint: HTTPServer.Endpoint

    /// Nil where none was handed to this process.
    init?(environment: [String: String], process: Int32) throws(CommandFailure) {
        guard let count = environment["LISTEN_FDS"].flatMap(Int.init), count > 0,
            environment["LISTEN_PID"].flatMap(Int32.init) == process
        else { return nil }
        guard count == 1 else {
            throw CommandFailure(
                .configuration, "The service manager handed over \(count) sockets, and one can be served.",
                hint: "Leave one ListenStream= in the socket unit.")
        }
        guard let endpoint = Self.endpoint(of: Self.first) else {
            throw CommandFailure(
                .configuration, "The socket that the service manager handed over does not listen for TCP connections.",
                hint: "Write ListenStream= with an address and a port.")
        }
        descriptor = Self.first
        self.endpoint = endpoint
    }

    /// Where a socket listens; nil for what is no listening TCP socket.
    private static func endpoint(of descriptor: Int32) -> HTTPServer.Endpoint? {
        var accepts: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size) == 0, accepts != 0 else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let found = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard found == 0, [AF_INET, AF_INET6].contains(Int32(storage.ss_family)) else { return nil }
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: 32)
        let named = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo(
                    $0, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
                    NI_NUMERICHOST | NI_NUMERICSERV)
            }
        }
        guard named == 0, let number = UInt16(text(port)) else { return nil }
        return HTTPServer.Endpoint(host: text(host), port: number)
    }

    private static func text(_ buffer: [CChar]) -> String {
        String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
