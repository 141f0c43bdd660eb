// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Testing
import Wire

@testable import TenantServer

/// The same vectors through a socket.
struct ConformanceOverHTTPTests {
    @Test(arguments: Conformance.vectors)
    func answersAsTheProtocolSays(_ vector: ConformanceVector) throws {
        let tenant = try TestTenant(vector.settings)
        try withServer(handler: { tenant.provider.answer($0) }) { server in
            let port = server.endpoint.port
            let scene = Scene(tenant, by: Caller { try Self.send($0, to: port) })
            let problems = try vector.problems(in: scene)
            #expect(problems == [], "\(vector)")
        }
    }

    /// A connection's thread has little stack, and none of it is for strangers to use up.
    @Test(arguments: [17, 200, 500, 5000])
    func deepNestingIsRefused(_ depth: Int) throws {
        let tenant = try TestTenant()
        try withServer(handler: { tenant.provider.answer($0) }) { server in
            let port = server.endpoint.port
            let caller = Caller { try Self.send($0, to: port) }
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            let attributes = "attributes={\"a\":\(deep)}"
            let start = try Scene(tenant, by: caller).start("mira@lofoten.example", "&" + attributes)
            #expect(start.status == 400)
            #expect(start.error == "invalid_request")
            let payload = Base64URL.encode("{\"a\":\(deep)}".utf8)
            let token = Base64URL.encode(#"{"alg":"RS256"}"#.utf8) + ".\(payload).AAAA"
            #expect(try caller.get("/oidc/userinfo", ["authorization": "Bearer " + token]).status == 401)
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
