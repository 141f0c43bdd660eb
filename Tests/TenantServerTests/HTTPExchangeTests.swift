// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Tenant
import Testing

@testable import TenantServer

/// What the handler gets, and what becomes of its answer.
@Suite struct HTTPExchangeTests {
    @Test func passesTheRequest() throws {
        let raw =
            "POST /a%2Fb?c=d HTTP/1.1\r\nHost: evil.example\r\nX-Odd:  v w \t\r\nAccept: a\r\nACCEPT: b\r\n"
            + "Cookie: a=1\r\nCookie: b=2\r\nContent-Length: 3\r\n\r\n\0\u{1}x"
        let request = try received(raw)
        #expect(request.method == "POST")
        #expect(request.path == "/a%2Fb")
        #expect(
            request.headers == [
                "host": "evil.example", "x-odd": "v w", "accept": "a, b", "cookie": "a=1; b=2", "content-length": "3",
            ])
        #expect(request.body == [0, 1, UInt8(ascii: "x")])
    }

    @Test(arguments: [
        ("http://b.example:80/x?y", "/x", "b.example:80"), ("HTTPS://b.example", "/", "b.example"),
        ("*", "*", "a"), ("b.example:80", "b.example:80", "a"), ("//x", "//x", "a"),
    ])
    func readsTargets(_ target: String, _ path: String, _ host: String) throws {
        let request = try received("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(request.path == path)
        #expect(request.headers["host"] == host)
    }

    @Test func completesTheAnswer() throws {
        let answer = try exchange(
            Answer(status: 201, headers: ["X-A": "b", "Content-Length": "99"], body: Array("ok".utf8)))
        #expect(answer?.status == 201)
        #expect(answer?.body == "ok")
        #expect(answer?.headers["x-a"] == "b")
        #expect(answer?.headers["content-length"] == "2")
        #expect(answer?.headers["x-content-type-options"] == "nosniff")
        #expect(answer?.headers["server"] == nil)
        #expect(answer?.headers["date"]?.hasSuffix(" GMT") == true)
    }

    @Test func answersWithoutABody() throws {
        let answer = try exchange(Answer(status: 200))
        #expect(answer?.headers["content-length"] == "0")
        #expect(answer?.body == "")
    }

    @Test func answersHeadWithoutTheBody() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n" + Sample.get("/b"))
            #expect(try client.answer(toHead: true)?.headers["content-length"] == "8")
            #expect(try client.answer()?.body == "GET /b ")
        }
    }

    @Test func refusesHeadWithoutABody() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
            #expect(try client.answer(toHead: true)?.status == 400)
            #expect(try client.isClosed())
        }
    }

    @Test func asksForTheBody() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
            #expect(try client.answer()?.status == 100)
            client.send("hello")
            #expect(try client.answer()?.body == "POST / hello")
        }
    }

    /// A handler's mistake is the server's error, and nothing of it reaches the client.
    @Test(arguments: [
        Answer(status: 200, headers: ["X-A": "b\r\nSet-Cookie: c=d"]), Answer(status: 200, headers: ["X A\r\n": "b"]),
        Answer(status: 100), Answer(status: -1), Answer(status: 1000),
    ])
    func refusesImpossibleAnswers(_ impossible: Answer) throws {
        let answer = try exchange(impossible)
        #expect(answer?.status == 500)
        #expect(answer?.body == #"{"error":"server_error","error_description":"The server failed to answer."}"#)
        #expect(answer?.headers["set-cookie"] == nil)
    }

    private func exchange(_ answer: Answer) throws -> ReceivedAnswer? {
        try withServer(handler: { _ in answer }) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(Sample.get())
            return try client.answer()
        }
    }

    private func received(_ raw: String) throws -> Request {
        let kept = Kept()
        try withServer(handler: kept.keep) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(raw)
            #expect(try client.answer()?.status == 200)
        }
        return try #require(kept.request)
    }
}

/// Keeps the request that a handler was called with.
private final class Kept: Sendable {
    private let last = Mutex<Request?>(nil)

    var request: Request? { last.withLock { $0 } }

    @Sendable func keep(_ request: Request) -> Answer {
        last.withLock { $0 = request }
        return Answer(status: 200)
    }
}
