// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TenantTesting

/// A server of a few bytes, on a port of its own: each connection is handed to a closure on a thread of its own.
final class ListeningSocket: Sendable {
    let port: UInt16
    private let fd: Int32
    private let state = Mutex(0)

    /// A connection, as the closure sees it.
    struct Peer: Sendable {
        let fd: Int32

        /// The next request, head and body; nil when the client has closed.
        func request() -> String? {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65536)
            while true {
                let text = String(decoding: bytes, as: UTF8.self)
                if let end = text.range(of: "\r\n\r\n") {
                    let length =
                        text.lowercased().split(separator: "content-length: ").dropFirst().first
                        .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
                    if text[end.upperBound...].utf8.count >= length { return text }
                }
                let count = recv(fd, &piece, piece.count, 0)
                guard count > 0 else { return nil }
                bytes += piece[..<count]
            }
        }

        func send(_ text: String) {
            let bytes = Array(text.utf8)
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                sent += count
            }
        }

        /// Waits until the client closes.
        func waitForEnd() {
            var piece = [UInt8](repeating: 0, count: 4096)
            while recv(fd, &piece, piece.count, 0) > 0 {}
        }
    }

    init(_ serve: @escaping @Sendable (Peer) -> Void) throws {
        fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let fd = fd
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, length) == 0 && listen(fd, 64) == 0 && getsockname(fd, $0, &length) == 0
            }
        }
        guard bound else { throw TemporaryFolder.Failed(operation: "listen") }
        port = UInt16(bigEndian: address.sin_port)
        OwnThread.start { [weak self] in
            while true {
                let peer = accept(fd, nil, nil)
                guard peer >= 0 else {
                    // Closed here and nowhere else, so that nobody else's socket has this number meanwhile.
                    close(fd)
                    return
                }
                self?.noteArrival()
                OwnThread.start {
                    serve(Peer(fd: peer))
                    close(peer)
                }
            }
        }
    }

    deinit {
        // Wakes the thread that accepts.
        shutdown(fd, Int32(SHUT_RDWR))
    }

    /// How many connections came.
    var accepted: Int { state.withLock { $0 } }

    var url: String { "http://127.0.0.1:\(port)/t" }

    private func noteArrival() {
        state.withLock { $0 += 1 }
    }

    /// A port at which nobody listens.
    static func deadPort() throws -> UInt16 {
        try ListeningSocket { _ in }.port
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
