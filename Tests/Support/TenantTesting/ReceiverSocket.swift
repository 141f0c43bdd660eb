// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import Wire

/// A receiver of a few bytes on a port of its own: each connection is handed to a closure on a thread of its own.
package final class ReceiverSocket: Sendable {
    package let port: UInt16
    private let record = Record()

    private final class Record: Sendable {
        let counts = Mutex((accepted: 0, requests: [String]()))
    }

    /// A connection, as the closure sees it.
    package struct Peer: Sendable {
        package let fd: Int32
        fileprivate let note: @Sendable (String) -> Void

        /// The next request, head and body; nil when the client has closed.
        package func request() -> String? {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65536)
            while true {
                let text = String(decoding: bytes, as: UTF8.self)
                if let end = text.firstRange(of: "\r\n\r\n") {
                    let length =
                        text.lowercased().split(separator: "content-length: ").dropFirst().first
                        .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
                    if text[end.upperBound...].utf8.count >= length {
                        note(text)
                        return text
                    }
                }
                let count = recv(fd, &piece, piece.count, 0)
                guard count > 0 else { return nil }
                bytes += piece[..<count]
            }
        }

        /// The next line without its end; nil when the client has closed.
        package func line() -> String? {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while recv(fd, &byte, 1, 0) == 1 {
                guard byte != UInt8(ascii: "\n") else {
                    let text = String(
                        decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self)
                    note(text)
                    return text
                }
                bytes.append(byte)
            }
            return nil
        }

        /// Whether all of it was taken.
        @discardableResult
        package func send(_ text: String) -> Bool {
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return false }
                bytes = bytes.dropFirst(count)
            }
            return true
        }

        /// Waits until the client closes.
        package func waitForEnd() {
            var piece = [UInt8](repeating: 0, count: 4096)
            while recv(fd, &piece, piece.count, 0) > 0 {}
        }

        /// Ends the connection with a reset in place of an end.
        package func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }
    }

    struct CannotListen: Error {}

    package init(_ serve: @escaping @Sendable (Peer) -> Void) throws {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        listener = fd
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, length) == 0 && listen(fd, 64) == 0 && getsockname(fd, $0, &length) == 0
            }
        }
        guard bound else { throw CannotListen() }
        port = UInt16(bigEndian: address.sin_port)
        OwnThread.start { [record] in
            while true {
                let peer = accept(fd, nil, nil)
                guard peer >= 0 else {
                    // Closed here and nowhere else, so that nobody else's socket has this number meanwhile.
                    close(fd)
                    return
                }
                // A program that another test starts must not hold the connection open.
                _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
                record.counts.withLock { $0.accepted += 1 }
                OwnThread.start {
                    serve(
                        Peer(fd: peer, note: { text in record.counts.withLock { $0.requests.append(text) } })
                    )
                    close(peer)
                }
            }
        }
    }

    private let listener: Int32

    deinit {
        // Wakes the thread that accepts.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// How many connections came.
    package var accepted: Int { record.counts.withLock { $0.accepted } }
    /// The requests so far, heads and bodies.
    package var requests: [String] { record.counts.withLock { $0.requests } }

    package var url: String { "http://127.0.0.1:\(port)/hook" }

    /// A receiver that gives each request the same answer.
    package static func answering(_ answer: String) throws -> ReceiverSocket {
        try ReceiverSocket { peer in
            while peer.request() != nil { peer.send(answer) }
        }
    }

    /// An answer with status 200 and the right type.
    package static func ok(_ body: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// An answer to token issuance without claims worth mentioning.
    package static let claims = ok(
        """
        {"data": {"@odata.type": "microsoft.graph.onTokenIssuanceStartResponseData", "actions": [
          {"@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken", "claims": {"tier": "gold"}}]}}
        """)
}

/// Blocking work belongs on threads of its own, not into the pool that runs the tests.
package enum OwnThread {
    /// As much stack as a connection's thread of the server has.
    private static let stack = 512 * 1024

    package static func start(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        pthread_attr_setstacksize(attributes, stack)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        let box = Unmanaged.passRetained(Box(body))
        pthread_create(
            &thread, attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        pthread_detach(thread)
    }

    /// What `body` gives, which may block.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: body()) }
        }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
