// SPDX-License-Identifier: Apache-2.0

import Tenant
import Testing

@testable import TenantServer

@Suite struct HTTPDeadlineTests {
    /// Long enough for a client on a busy machine to get its first bytes out.
    static let short = Duration.milliseconds(300)

    @Test("Rule 95: a slow head is cut off", arguments: ["", "GET", "GET / HTTP/1.1\r\nHost: a\r\nX: "])
    func slowHeader(_ beginning: String) throws {
        try withServer(limits: HTTPServer.Limits(headersDeadline: Self.short)) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(beginning)
            drip(to: client)
            let answer = try client.answer()
            #expect(answer?.status == 408)
            if let answer { expectRefusal(answer) }
            #expect(try client.isClosed())
        }
    }

    @Test(
        "Rule 95: a slow body is cut off",
        arguments: ["Content-Length: 16000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3e80\r\n"])
    func slowBody(_ beginning: String) throws {
        try withServer(limits: HTTPServer.Limits(bodyDeadline: Self.short)) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\n\(beginning)")
            drip(to: client)
            let answer = try client.answer()
            #expect(answer?.status == 408)
            if let answer { expectRefusal(answer) }
            #expect(try client.isClosed())
        }
    }

    /// The second request on a connection has a deadline of its own, and a new one.
    @Test("Rule 95: a later head has its deadline, too") func slowHeaderOfLaterRequest() throws {
        try withServer(limits: HTTPServer.Limits(headersDeadline: Self.short)) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            for _ in 0..<3 {
                client.send(Sample.get())
                #expect(try client.answer()?.status == 200)
            }
            client.send("GET / HTTP/1.1\r\n")
            drip(to: client)
            #expect(try client.answer()?.status == 408)
            #expect(try client.isClosed())
        }
    }

    @Test("Rule 95: who does not take the answer is cut off") func slowReader() throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 20)
        let limits = HTTPServer.Limits(answerDeadline: Self.short)
        try withServer(limits: limits, handler: { _ in Answer(status: 200, body: long) }) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port, receiveBuffer: 4096)
            client.send(Sample.get())
            #expect(client.waitForReset())
        }
    }

    @Test("Rule 95: an idle connection ends") func idleConnection() throws {
        try withServer(limits: HTTPServer.Limits(keepAliveIdle: Self.short)) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(Sample.get())
            #expect(try client.answer()?.status == 200)
            #expect(try client.isClosed())
        }
    }

    /// A handler may take longer than any of the client's deadlines.
    @Test func slowHandler() throws {
        let gate = Gate()
        let limits = HTTPServer.Limits(
            headersDeadline: Self.short, bodyDeadline: Self.short, answerDeadline: Self.short, keepAliveIdle: Self.short
        )
        try withServer(
            limits: limits,
            handler: {
                gate.pass(); return echo($0)
            }
        ) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(Sample.post("hello"))
            #expect(gate.waitForArrival())
            // Another connection is the clock: its deadline began later.
            let clock = try HTTPClientSocket(port: server.endpoint.port)
            #expect(try clock.answer()?.status == 408)
            gate.open()
            #expect(try client.answer()?.body == "POST / hello")
        }
    }

    /// One byte after the other until the server has something to say, or far beyond every deadline.
    private func drip(to client: HTTPClientSocket) {
        for _ in 0..<1000 {
            client.send("1")
            if client.isReadable(within: 10) { return }
        }
        Issue.record("The server waited for all of it.")
    }
}
