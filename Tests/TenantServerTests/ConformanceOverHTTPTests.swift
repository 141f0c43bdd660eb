// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Testing

@testable import TenantServer

/// The same vectors through a socket.
struct ConformanceOverHTTPTests {
    @Test(arguments: Conformance.vectors)
    func answersAsTheProtocolSays(_ vector: ConformanceVector) throws {
        let tenant = try TestTenant()
        try withServer(handler: { tenant.provider.answer($0) }) { server in
            let port = server.endpoint.port
            let scene = Scene(tenant, by: Caller { try Self.send($0, to: port) })
            let problems = try vector.problems(in: scene)
            #expect(problems == [], "\(vector)")
        }
    }

    private static func send(_ request: Request, to port: UInt16) throws -> Answer {
        let client = try HTTPClientSocket(port: port)
        var head = "\(request.method) \(request.path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
        client.send(Array((head + "Content-Length: \(request.body.count)\r\n\r\n").utf8) + request.body)
        guard let answer = try client.answer() else { throw SocketFailure(code: 0) }
        return Answer(status: answer.status, headers: answer.headers, body: Array(answer.body.utf8))
    }
}
