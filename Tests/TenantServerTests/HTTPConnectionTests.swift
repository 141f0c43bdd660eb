// SPDX-License-Identifier: Apache-2.0

import Tenant
import Testing

@testable import TenantServer

@Suite struct HTTPConnectionTests {
    @Test func keepsAlive() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            for number in 0..<20 {
                client.send(Sample.post("\(number)"))
                let answer = try client.answer()
                #expect(answer?.body == "POST / \(number)")
                #expect(answer?.headers["connection"] == nil)
            }
        }
    }

    @Test func answersPipelinedRequestsInOrder() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send((0..<50).map { Sample.get("/\($0)") + Sample.post("\($0)") }.joined())
            for number in 0..<50 {
                #expect(try client.answer()?.body == "GET /\(number) ")
                #expect(try client.answer()?.body == "POST / \(number)")
            }
        }
    }

    @Test func closesWhenAsked() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(try client.answer()?.headers["connection"] == "close")
            #expect(try client.isClosed())
        }
    }

    @Test func closesBehindTheLastRequest() throws {
        try withServer(limits: HTTPServer.Limits(requestsPerConnection: 2)) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(Sample.get("/1") + Sample.get("/2") + Sample.get("/3"))
            #expect(try client.answer()?.headers["connection"] == nil)
            #expect(try client.answer()?.headers["connection"] == "close")
            #expect(try client.isClosed())
        }
    }

    @Test func answersOthersWhileOneBlocks() throws {
        let gate = Gate()
        try withServer(handler: {
            if $0.path == "/slow" { gate.pass() }; return echo($0)
        }) { server in
            let slow = try HTTPClientSocket(port: server.endpoint.port)
            slow.send(Sample.get("/slow"))
            #expect(gate.waitForArrival())
            let quick = try HTTPClientSocket(port: server.endpoint.port)
            quick.send(Sample.get("/quick"))
            #expect(try quick.answer()?.body == "GET /quick ")
            gate.open()
            #expect(try slow.answer()?.body == "GET /slow ")
        }
    }

    @Test(arguments: [
        HTTPServer.Limits(connections: 2), HTTPServer.Limits(connectionsPerAddress: 2),
    ])
    func refusesWhenAllAreBusy(_ limits: HTTPServer.Limits) throws {
        let gate = Gate()
        try withServer(
            limits: limits,
            handler: {
                gate.pass(); return echo($0)
            }
        ) { server in
            let first = try HTTPClientSocket(port: server.endpoint.port)
            let second = try HTTPClientSocket(port: server.endpoint.port)
            first.send(Sample.get())
            second.send(Sample.get())
            #expect(gate.waitForArrival() && gate.waitForArrival())
            let third = try HTTPClientSocket(port: server.endpoint.port)
            third.send(Sample.get())
            let answer = try third.answer()
            #expect(answer?.status == 503)
            if let answer { expectRefusal(answer) }
            #expect(try third.isClosed())
            gate.open()
            gate.open()
            #expect(try first.answer()?.status == 200)
            #expect(try second.answer()?.status == 200)
        }
    }

    @Test(arguments: [
        HTTPServer.Limits(connections: 2), HTTPServer.Limits(connectionsPerAddress: 2),
    ])
    func idleConnectionGivesWay(_ limits: HTTPServer.Limits) throws {
        try withServer(limits: limits) { server in
            let oldest = try HTTPClientSocket(port: server.endpoint.port)
            let other = try HTTPClientSocket(port: server.endpoint.port)
            let third = try HTTPClientSocket(port: server.endpoint.port)
            third.send(Sample.get())
            #expect(try third.answer()?.status == 200)
            #expect(try oldest.isClosed())
            other.send(Sample.get())
            #expect(try other.answer()?.status == 200)
        }
    }

    @Test("Rule 96: idle connections leave room for others") func idleFloodLeavesRoom() throws {
        try withServer(limits: HTTPServer.Limits(connections: 16)) { server in
            var crowd: [HTTPClientSocket] = []
            for _ in 0..<200 { crowd.append(try HTTPClientSocket(port: server.endpoint.port)) }
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(Sample.get())
            #expect(try client.answer()?.status == 200)
            withExtendedLifetime(crowd) {}
        }
    }

    /// A client that resets in the middle of an answer must not end the process by SIGPIPE.
    @Test func survivesResets() throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 4 << 20)
        try withServer(handler: { _ in Answer(status: 200, body: long) }) { server in
            for _ in 0..<20 {
                let client = try HTTPClientSocket(port: server.endpoint.port, receiveBuffer: 4096)
                client.send(Sample.get())
                #expect(client.isReadable(within: 20_000))
                client.resetOnClose()
            }
            let client = try HTTPClientSocket(port: server.endpoint.port)
            client.send(Sample.get())
            #expect(try client.answer()?.body.utf8.count == long.count)
        }
    }

    @Test func forgetsHalfARequest() throws {
        try withServer { server in
            for part in [
                "GET", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe",
            ] {
                let client = try HTTPClientSocket(port: server.endpoint.port)
                client.send(part)
                client.finishSending()
                #expect(try client.isClosed())
            }
        }
    }

    /// Printed for people; a busy machine must not fail a test.
    @Test func latency() throws {
        try withServer { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            var times: [Duration] = []
            for _ in 0..<2000 {
                times.append(
                    try ContinuousClock().measure {
                        client.send(Sample.post("hello"))
                        _ = try client.answer()
                    })
            }
            times.sort()
            print("keep-alive POST over loopback: median \(times[1000]), 99th percentile \(times[1980])")
        }
    }
}
