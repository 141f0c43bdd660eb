// SPDX-License-Identifier: Apache-2.0

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import Wire

/// Waits on this machine for a browser that a tenant sends back (RFC 8252, section 7.3): on 127.0.0.1, on a port that the
/// system chooses, for one answer.
public final class LoopbackReceiver: Sendable {
    /// Where the tenant is to send the browser: ``BrowserSignIn/redirect``.
    public let address: String

    private let path: String
    private let listener: Int32
    /// Closing the one end wakes who waits at the other.
    private let bell: (wait: Int32, ring: Int32)
    private let isOver = Mutex(false)

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - registered: The loopback address that is registered for the app, without a port: `http://127.0.0.1`,
    ///     `http://localhost`, or either with a path.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/network(_:)`` where that cannot be listened on.
    public init(_ registered: String = "http://127.0.0.1") throws(AuthError) {
        guard let parts = URLComponents(string: registered), parts.scheme == "http", let host = parts.host,
            host == "127.0.0.1" || host == "localhost", parts.query == nil, parts.fragment == nil
        else { throw AuthError(.network(.other), message: "'\(registered)' is no loopback address") }
        guard let (listener, port) = Self.listen(on: UInt16(exactly: parts.port ?? 0) ?? 0) else {
            throw AuthError(.network(.other), message: String(cString: strerror(errno)))
        }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            close(listener)
            throw AuthError(.network(.other), message: String(cString: strerror(errno)))
        }
        self.listener = listener
        bell = (ends[0], ends[1])
        path = parts.path.isEmpty ? "/" : parts.path
        address = "http://\(host):\(port)\(parts.path)"
    }

    deinit {
        stop()
        close(listener)
        close(bell.wait)
    }

    private static func listen(on wanted: UInt16) -> (Int32, UInt16)? {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, length) == 0 && Glibc.listen(socket, 8) == 0
                    && getsockname(socket, address, &length) == 0
            }
        }
        guard isBound else {
            let reason = errno
            close(socket)
            errno = reason
            return nil
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// Waits for the browser of a sign-in. Whatever else calls, as another program that tries ports, is sent away.
    ///
    /// - Returns: What ``BrowserSignIn/finish(with:)`` takes.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/cancelled`` when the task is.
    public func answer(to signIn: BrowserSignIn) async throws(AuthError) -> String {
        let state = signIn.state
        let answer: String? = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "loopback").async {
                    continuation.resume(returning: self.wait(for: state))
                }
            }
        } onCancel: {
            stop()
        }
        guard let answer else { throw AuthError(.cancelled) }
        return answer
    }

    private func stop() {
        isOver.withLock { isOver in
            if !isOver { close(bell.ring) }
            isOver = true
        }
    }

    private func wait(for state: String) -> String? {
        while true {
            var places = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
                pollfd(fd: bell.wait, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&places, 2, -1) > 0 || errno == EINTR else { return nil }
            if places[1].revents != 0 { return nil }
            guard places[0].revents != 0 else { continue }
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { continue }
            defer { close(peer) }
            if let query = LoopbackVisit(peer, path: path, state: state).query() { return query }
        }
    }
}

/// One browser, or whatever else calls.
private struct LoopbackVisit {
    private let peer: Int32
    private let path: String
    private let state: String

    /// Nobody keeps the browser of a person waiting by being slow.
    private static let patience = timeval(tv_sec: 2, tv_usec: 0)
    private static let limit = 16384

    init(_ peer: Int32, path: String, state: String) {
        self.peer = peer
        self.path = path
        self.state = state
        var patience = Self.patience
        let length = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &patience, length)
        setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &patience, length)
    }

    /// What it brought, if it is what is waited for; it is answered in any case.
    func query() -> String? {
        let words = requestLine.split(separator: " ")
        guard words.count == 3, words[0] == "GET" else {
            send(400, "Nobody is waiting for this.")
            return nil
        }
        let halves = words[1].split(separator: "?", maxSplits: 1)
        guard halves.first.map(String.init) == path, halves.count == 2,
            let form = try? Form(body: Array(halves[1].utf8)), form["state"] == state
        else {
            send(404, "Nobody is waiting for this.")
            return nil
        }
        send(
            200,
            form["error"] == nil
                ? "You can close this page, and go back to where you came from."
                : "You were not signed in. You can close this page, and go back to where you came from.")
        return String(halves[1])
    }

    private var requestLine: String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 2048)
        let end = ContinuousClock.now + .seconds(2)
        while bytes.count < Self.limit, ContinuousClock.now < end {
            let count = recv(peer, &piece, piece.count, 0)
            guard count > 0 else { break }
            bytes += piece[..<count]
            // All of the head, so that closing does not take the answer from the browser.
            if bytes.suffix(count + 3).containsEmptyLine { break }
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        return String(validating: line, as: UTF8.self) ?? ""
    }

    private func send(_ status: Int, _ sentence: String) {
        let body = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>Signing in</title>\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <meta name="color-scheme" content="light dark"></head>\
            <body><main><h1>Signing in</h1><p>\(sentence)</p></main></body></html>

            """
        let reason = status == 200 ? "OK" : status == 404 ? "Not Found" : "Bad Request"
        let text = """
            HTTP/1.1 \(status) \(reason)\r
            Content-Type: text/html; charset=utf-8\r
            Content-Length: \(body.utf8.count)\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            X-Content-Type-Options: nosniff\r
            Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r
            Connection: close\r
            \r
            \(body)
            """
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { rest in
                Glibc.send(peer, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var containsEmptyLine: Bool {
        let text = String(decoding: self, as: UTF8.self)
        return text.contains("\r\n\r\n") || text.contains("\n\n")
    }
}
