// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import NativeAuth
import Synchronization
import Testing

/// libcurl against real sockets.
@Suite(.timeLimit(.minutes(10)))
struct CurlTransportTests {
    private static func transport(timeout: Duration = .seconds(20), caFile: String? = nil) throws -> CurlTransport {
        CurlTransport(
            Configuration(
                authority: try Authority("http://127.0.0.1/t"), clientID: "c", connectTimeout: .seconds(20),
                timeout: timeout,
                caFile: caFile, proxy: ""))
    }

    private static func problem(_ url: String, _ transport: CurlTransport? = nil) async throws -> NetworkProblem? {
        let transport = try transport ?? self.transport()
        do throws(TransportFailure) {
            _ = try await transport.send(HTTPRequest(method: "GET", url: url))
            return nil
        } catch {
            return error.problem
        }
    }

    /// Answers each request with the same bytes.
    private static func server(_ answer: String) throws -> ListeningSocket {
        try ListeningSocket { peer in
            while peer.request() != nil { peer.send(answer) }
        }
    }

    private static func ok(_ body: String, _ headers: String = "") -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)"
    }

    @Test func requestAndAnswerGoThrough() async throws {
        let seen = Seen()
        let server = try ListeningSocket { peer in
            seen.text = peer.request() ?? ""
            peer.send(Self.ok(#"{"a":1}"#, "X-One: first\r\nx-one:  second\r\nRetry-After: 7\r\n"))
        }
        let answer = try await Self.transport().send(
            HTTPRequest(
                method: "POST", url: server.url + "/x?y=z", headers: ["X-Test": "å", "Accept": "application/json"],
                body: Data("a=b&c=%20".utf8)))
        #expect(answer.status == 200)
        #expect(answer.body == Data(#"{"a":1}"#.utf8))
        #expect(answer.headers["x-one"] == "second")
        #expect(answer.headers["retry-after"] == "7")
        #expect(seen.text.hasPrefix("POST /t/x?y=z HTTP/1.1\r\n"))
        #expect(seen.text.contains("\r\nX-Test: å\r\n"))
        #expect(seen.text.contains("\r\nContent-Length: 9\r\n"))
        #expect(seen.text.hasSuffix("\r\n\r\na=b&c=%20"))
        #expect(!seen.text.lowercased().contains("cookie"))
    }

    @Test(
        "Rule 92: every status is an answer, and a redirect is not followed", arguments: [204, 302, 400, 404, 500, 503])
    func everyStatusIsAnAnswer(_ status: Int) async throws {
        let server = try Self.server(
            "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nLocation: http://127.0.0.1:1/\r\n\r\n")
        #expect(try await Self.transport().send(HTTPRequest(method: "GET", url: server.url)).status == status)
        #expect(server.accepted == 1)
    }

    @Test func connectionServesTheNextRequest() async throws {
        let server = try Self.server(Self.ok("x"))
        let transport = try Self.transport()
        for _ in 0..<3 {
            _ = try await transport.send(HTTPRequest(method: "POST", url: server.url, body: Data("a".utf8)))
        }
        #expect(server.accepted == 1)
        _ = try await Self.transport().send(HTTPRequest(method: "GET", url: server.url))
        #expect(server.accepted == 2)
    }

    @Test func requestsRunSideBySide() async throws {
        let server = try Self.server(Self.ok("x"))
        let transport = try Self.transport()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { try await transport.send(HTTPRequest(method: "GET", url: server.url)).status }
            }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func oneAnswerIsNotMistakenForAnother() async throws {
        let server = try ListeningSocket { peer in
            while let request = peer.request() { peer.send(Self.ok(String(request.split(separator: " ")[1]))) }
        }
        let transport = try Self.transport()
        try await withThrowingTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    let answer = try await transport.send(HTTPRequest(method: "GET", url: "\(server.url)/\(number)"))
                    return String(decoding: answer.body, as: UTF8.self) == "/t/\(number)"
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
    }

    // MARK: - What goes wrong

    @Test func nobodyListens() async throws {
        #expect(try await Self.problem("http://127.0.0.1:\(try ListeningSocket.deadPort())/") == .noConnection)
    }

    @Test func hostIsUnknown() async throws {
        #expect(try await Self.problem("https://nonexistent.invalid/") == .unknownHost)
    }

    @Test func serverClosesBeforeItAnswers() async throws {
        let server = try ListeningSocket { peer in _ = peer.request() }
        #expect(try await Self.problem(server.url) == .connectionLost)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha",
    ])
    func serverClosesInTheMiddle(_ half: String) async throws {
        let server = try ListeningSocket { peer in
            _ = peer.request()
            peer.send(half)
        }
        #expect(try await Self.problem(server.url) == .connectionLost)
    }

    @Test func serverSpeaksAnotherProtocol() async throws {
        let server = try ListeningSocket { peer in
            _ = peer.request()
            peer.send("SSH-2.0-OpenSSH\r\n")
        }
        #expect(try await Self.problem(server.url) != nil)
    }

    @Test func answerHasALimit() async throws {
        let limit = 1024 * 1024
        let full = try Self.server(Self.ok(String(repeating: "x", count: limit)))
        #expect(try await Self.transport().send(HTTPRequest(method: "GET", url: full.url)).body.count == limit)
        let more = try Self.server(Self.ok(String(repeating: "x", count: limit + 1)))
        #expect(try await Self.problem(more.url) == .tooLarge)
    }

    @Test func endlessAnswerHasALimit() async throws {
        let server = try ListeningSocket { peer in
            _ = peer.request()
            peer.send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 3 << 20))
            peer.waitForEnd()
        }
        #expect(try await Self.problem(server.url) == .tooLarge)
    }

    @Test(arguments: [
        "http://10.255.255.1/", "http://nonexistent.invalid/", "ftp://127.0.0.1/", "file:///etc/passwd",
        "gopher://127.0.0.1/",
    ])
    func plainTextLeavesNoMachine(_ url: String) async throws {
        #expect(try await Self.problem(url) == .other)
    }

    @Test func answerMayTakeTooLong() async throws {
        let server = try ListeningSocket { $0.waitForEnd() }
        #expect(try await Self.problem(server.url, Self.transport(timeout: .milliseconds(50))) == .timedOut)
    }

    // MARK: - Cancelling

    @Test func cancellingEndsTheRequest() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let server = try ListeningSocket { peer in
            _ = peer.request()
            arrival.yield()
            peer.waitForEnd()
            arrival.finish()
        }
        let task = Task { try await Self.problem(server.url, Self.transport(timeout: .seconds(300))) }
        var arrivals = arrived.makeAsyncIterator()
        await arrivals.next()
        let start = ContinuousClock.now
        task.cancel()
        #expect(try await task.value == .cancelled)
        #expect(ContinuousClock.now - start < .seconds(10))
        // The server sees the end of the connection.
        #expect(await arrivals.next() == nil)
    }

    @Test func cancelledTaskSendsNothing() async throws {
        let server = try Self.server(Self.ok("x"))
        let transport = try Self.transport()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Self.problem(server.url, transport)
        }
        task.cancel()
        #expect(try await task.value == .cancelled)
        #expect(server.accepted == 0)
        // The same connection is good for the next task.
        #expect(try await transport.send(HTTPRequest(method: "GET", url: server.url)).status == 200)
    }

    /// From the flow down to the socket.
    @Test func cancellingEndsTheFlow() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
        let server = try ListeningSocket { peer in
            _ = peer.request()
            arrival.yield()
            peer.waitForEnd()
        }
        let client = NativeAuthClient(Configuration(authority: try Authority(server.url), clientID: "c"))
        let task = Task { await signUpFailure { try await client.signUp(username: "a@b.example") }?.error.reason }
        var arrivals = arrived.makeAsyncIterator()
        await arrivals.next()
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}

/// What a server was sent.
private final class Seen: Sendable {
    private let held = Mutex("")

    var text: String {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
