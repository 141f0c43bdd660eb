// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Tenant
import Testing

@testable import TenantServer

@Suite struct HTTPStopTests {
    @Test func letsRunningRequestsFinish() throws {
        let gate = Gate()
        let server = try HTTPServer(listen: HTTPServer.Endpoint("127.0.0.1:0")) {
            gate.pass(); return echo($0)
        }
        let idle = try HTTPClientSocket(port: server.endpoint.port)
        let running = try HTTPClientSocket(port: server.endpoint.port)
        running.send(Sample.get("/running"))
        #expect(gate.waitForArrival())
        let stops = [stop(server), stop(server)]
        #expect(try idle.isClosed())
        #expect(throws: SocketFailure.self) { _ = try HTTPClientSocket(port: server.endpoint.port) }
        gate.open()
        let answer = try running.answer()
        #expect(answer?.body == "GET /running ")
        #expect(answer?.headers["connection"] == "close")
        #expect(try running.isClosed())
        for each in stops { #expect(each.wait(timeout: .now() + 20) == .success) }
        server.stop()
    }

    @Test func cutsWhatTakesTooLong() throws {
        var limits = HTTPServer.Limits()
        limits.gracePeriod = .milliseconds(200)
        let server = try HTTPServer(listen: HTTPServer.Endpoint("127.0.0.1:0"), limits: limits, handler: echo)
        let client = try HTTPClientSocket(port: server.endpoint.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.answer()?.status == 100)
        server.stop()
        #expect(try client.isClosed())
    }

    @Test func stopsWhenLetGo() throws {
        let port = try HTTPServer(listen: HTTPServer.Endpoint("127.0.0.1:0"), handler: echo).endpoint.port
        #expect(throws: SocketFailure.self) { _ = try HTTPClientSocket(port: port) }
    }

    @Test func startsAgainOnTheSamePort() throws {
        let first = try HTTPServer(listen: HTTPServer.Endpoint("127.0.0.1:0"), handler: echo)
        let client = try HTTPClientSocket(port: first.endpoint.port)
        client.send(Sample.get())
        #expect(try client.answer()?.status == 200)
        first.stop()
        let second = try HTTPServer(listen: first.endpoint, handler: echo)
        #expect(second.endpoint == first.endpoint)
        second.stop()
    }

    private func stop(_ server: HTTPServer) -> DispatchSemaphore {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            server.stop()
            done.signal()
        }
        return done
    }
}
