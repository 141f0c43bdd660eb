// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A server that answers with the same bytes whatever the request is, or with one answer after the other.
final class LyingServer: Sendable {
    let port: UInt16
    /// Comes up once for each request.
    let requests: AsyncStream<Void>
    private let listener: Int32

    /// - Parameters:
    ///   - answer: What is sent as soon as the request's head has come.
    ///   - endlessly: What is sent after it, until the client has had enough.
    ///   - isSilent: Whether nothing is sent until the client has gone.
    convenience init(answer: String, endlessly rest: String = "", isSilent: Bool = false) throws {
        try self.init(answers: [answer], endlessly: rest, isSilent: isSilent)
    }

    /// - Parameter answers: What is sent to the first request, to the second and so on; the last one to all others.
    init(answers: [String], endlessly rest: String = "", isSilent: Bool = false) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        port = try #require(bindToLoopback(listener), "no port: errno \(errno)")
        try #require(listen(listener, 64) == 0)
        let (requests, arrivals) = AsyncStream<Void>.makeStream()
        self.requests = requests
        let listener = listener
        let thread = Thread {
            var left = answers[...]
            // Ends when the listening socket is shut down.
            while case let client = accept(listener, nil, nil), client >= 0 {
                let answer = left.first ?? ""
                if Self.serve(client, answer, rest, isSilent, arrivals), left.count > 1 { left.removeFirst() }
                close(client)
            }
            // Here and not earlier: another server's listener would get the number while this thread still uses it.
            close(listener)
        }
        thread.start()
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    var address: String { "http://127.0.0.1:\(port)/tenant" }

    /// - Returns: Whether there was a request.
    private static func serve(
        _ client: Int32, _ answer: String, _ rest: String, _ isSilent: Bool, _ arrivals: AsyncStream<Void>.Continuation
    ) -> Bool {
        var head = Data()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while head.firstRange(of: Data("\r\n\r\n".utf8)) == nil {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return false }
            head += buffer[..<count]
        }
        arrivals.yield()
        guard !isSilent, send(client, answer), !rest.isEmpty else {
            // The request's body is taken, too: a close with unread bytes would take the answer away from the client.
            if !isSilent { shutdown(client, Int32(SHUT_WR)) }
            while recv(client, &buffer, buffer.count, 0) > 0 {}
            return true
        }
        while send(client, rest) {}
        return true
    }

    private static func send(_ client: Int32, _ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}
