// SPDX-License-Identifier: Apache-2.0

import Foundation
import Tenant
import TenantTesting
import Testing

@testable import TenantServer

/// What every answer of a served tenant has in common.
struct HeaderTests {
    private static let paths = [
        ("GET", "/v2.0/.well-known/openid-configuration"), ("GET", "/discovery/v2.0/keys"),
        ("GET", "/oauth2/v2.0/authorize"), ("GET", "/oidc/userinfo"), ("POST", "/signup/v1.0/start"),
        ("POST", "/signup/v1.0/challenge"), ("POST", "/signup/v1.0/continue"), ("POST", "/oauth2/v2.0/initiate"),
        ("POST", "/oauth2/v2.0/challenge"), ("POST", "/oauth2/v2.0/introspect"), ("POST", "/oauth2/v2.0/token"),
        ("POST", "/oauth2/v2.0/revoke"), ("GET", "/oauth2/v2.0/logout"), ("POST", "/resetpassword/v1.0/start"),
        ("POST", "/resetpassword/v1.0/challenge"), ("POST", "/resetpassword/v1.0/continue"),
        ("POST", "/resetpassword/v1.0/submit"), ("POST", "/resetpassword/v1.0/poll_completion"),
        ("POST", "/register/v1.0/introspect"), ("POST", "/register/v1.0/challenge"),
        ("POST", "/register/v1.0/continue"), ("POST", "/oauth2/v2.0/authorize/step"),
        ("POST", "/oauth2/v2.0/devicecode"), ("GET", "/device"), ("GET", "/nothing"),
    ]

    /// Those that people look at.
    private static let pages = ["logout", "authorize", "/device "]

    private func asked(_ lines: [String], _ provider: IdentityProvider) throws -> [ReceivedAnswer] {
        try withServer(handler: { provider.answer($0) }) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            return try lines.map { line in
                client.send("\(line) HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n")
                return try #require(try client.answer())
            }
        }
    }

    @Test("Rules 65 and 98: answers say what they are, are not guessed at, name no product, and are not kept")
    func crawl() throws {
        let tenant = try TestTenant()
        let lines =
            Self.paths.flatMap { method, path in ["\(method) /local\(path)", "DELETE /local\(path)"] } + ["GET /"]
        for (line, answer) in zip(lines, try asked(lines, tenant.provider)) {
            let type = answer.headers["content-type"]
            #expect(
                type == "application/json; charset=utf-8"
                    || (Self.pages.contains { (line + " ").contains($0) } && type == "text/html; charset=utf-8"),
                "\(line)")
            #expect(answer.headers["x-content-type-options"] == "nosniff", "\(line)")
            for name in ["server", "x-powered-by", "via"] { #expect(answer.headers[name] == nil, "\(line)") }
            let isDocument = answer.status == 200 && (line.contains("openid-configuration") || line.contains("keys"))
            #expect(answer.headers["cache-control"] == (isDocument ? "public, max-age=300" : "no-store"), "\(line)")
        }
    }

    @Test("Rule 97: a method that an endpoint does not have is 405 with those that it has; TRACE and CONNECT are none")
    func methods() throws {
        let tenant = try TestTenant()
        for method in ["DELETE", "PUT", "PATCH", "TRACE", "OPTIONS", "PROPFIND"] {
            let lines = Self.paths.dropLast().map { "\(method) /local\($0.1)" }
            for (line, answer) in zip(lines, try asked(lines, tenant.provider)) {
                #expect(answer.status == 405, "\(line)")
                #expect(answer.headers["allow"]?.contains(method) == false, "\(line)")
                #expect(!answer.body.contains("evil.example"), "nothing is echoed")
            }
        }
    }

    @Test("Rule 64: the description is the same whatever the Host header says")
    func host() throws {
        let tenant = try TestTenant()
        let answer = try #require(
            try asked(["GET /local/v2.0/.well-known/openid-configuration"], tenant.provider).first)
        #expect(!answer.body.contains("evil") && answer.body.contains("http://127.0.0.1:8400/"))
    }

    @Test("Rule 67: a parameter that comes twice is refused")
    func duplicates() throws {
        let tenant = try TestTenant()
        try withServer(handler: { tenant.provider.answer($0) }) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            for path in Self.paths where path.0 == "POST" {
                let body = "client_id=a&client_id=b"
                client.send(
                    "POST /local\(path.1) HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
                let answer = try #require(try client.answer())
                #expect(answer.status == 400 && answer.body.contains("occurs twice"), "\(path.1)")
            }
        }
    }

    @Test("a query travels as it came, and the path without it")
    func query() throws {
        let handler: @Sendable (Request) -> Answer = { request in
            Answer(status: 200, body: Array("\(request.path) \(request.query ?? "-")".utf8))
        }
        try withServer(handler: handler) { server in
            let client = try HTTPClientSocket(port: server.endpoint.port)
            for (target, seen) in [
                ("/a?b=c&d=%20+e=&&f", "/a b=c&d=%20+e=&&f"), ("/a", "/a -"), ("/a?", "/a "),
                ("/a?b?c=d#", "/a b?c=d#"),
                ("/a?" + String(repeating: "x=1&", count: 900), "/a " + String(repeating: "x=1&", count: 900)),
            ] {
                client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.answer()?.body == seen)
            }
        }
    }
}
