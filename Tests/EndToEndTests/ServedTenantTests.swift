// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("A tenant that is served", .inTurns)
struct ServedTenantTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("commands turn to it, and nobody notices")
    func unnoticed() async throws {
        try await home.signUp("before@example.com")
        let server = try await home.serve()
        try await home.signUp("ada@example.com")
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
        try await home.succeed("token", "--force-refresh")
        let session = try home.session("signin", "--profile", "local-code")
        try await session.answer(Question.email, "ada@example.com")
        try await session.answer(Question.password, Home.password)
        try await session.endWell()
        try await home.succeed("signin", "-u", "before@example.com", "--password-file", try home.passwordFile())
        try await home.succeed("signout")
        try await server.stop()
        // What was made through the server is in the same tenant.
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        try await home.succeed("token", "--force-refresh")
    }

    @Test("a person signs up with a code, and the mail is shown")
    func dialogue() async throws {
        let server = try await home.serve()
        let session = try home.session("signup", "--profile", "local-code")
        try await session.answer(Question.email, "ada@example.com")
        try await session.answerCode()
        try await session.answer(Question.country, "Norway")
        try await session.answer(Question.city, "")
        try await session.endWell()
        try await server.stop()
    }

    @Test("the documented line: an API is called with the token")
    func userInfo() async throws {
        let server = try await home.serve()
        try await home.signUp("ada@example.com")
        let endpoint = try #require(try await home.discovery(server.url).string("userinfo_endpoint"))
        let outcome = try await home.shell("curl -sf -H \"Authorization: Bearer $(nativeauth token)\" '\(endpoint)'")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let claims = try object(outcome.output)
        #expect(claims.string("email") == "ada@example.com" && claims.string("country") == "Norway")
        let own = try object(await home.succeed("claims", "--json"))
        #expect(claims.string("oid") == own.string("oid"))
        for header in ["Authorization: Bearer nonsense", "Authorization: Basic YTpi", "X-None: 1"] {
            let refused = try await home.shell("curl -s -o /dev/null -w '%{http_code}' -H '\(header)' '\(endpoint)'")
            #expect(refused.output == "401", "\(header)")
        }
        let other = try await home.shell(
            "nativeauth token | sed 's/.$/_/' | sed 's/^/Authorization: Bearer /' | curl -s -o /dev/null -w '%{http_code}' -H @- '\(endpoint)'"
        )
        #expect(other.output == "401")
        try await server.stop()
    }

    private func refreshToken() throws -> String {
        let cache = try object(try #require(home.read(home.cache)))
        let entry = cache.object("RefreshToken").values.first as? [String: Any]
        return try #require(entry?.string("secret"))
    }

    @Test(
        "signing out gives it back, whether the tenant is served, over TLS too, or not",
        arguments: ["", "plain", "tls"])
    func signOut(way: String) async throws {
        var server = way.isEmpty ? nil : try await way == "tls" ? home.serve("--tls-self-signed") : home.serve()
        try await home.signUp("ada@example.com")
        let token = try refreshToken()
        #expect(try object(await home.succeed("signout", "--json")).string("revocation") == "revoked")
        try await server?.stop()
        server = try await home.serve()
        let url = try #require(server?.url)
        let outcome = try await home.shell(
            """
            curl -s '\(url)/oauth2/v2.0/token' -d grant_type=refresh_token -d 'refresh_token=\(token)' \
                -d client_id=5a3d1e00-0000-4000-8000-000000000001
            """)
        #expect(try object(outcome.output).string("error") == "invalid_grant", "\(outcome)")
        try await server?.stop()
    }

    @Test("a refresh token that was given back refreshes nothing any more")
    func revocation() async throws {
        let server = try await home.serve()
        try await home.signUp("ada@example.com")
        let endpoint = try #require(try await home.discovery(server.url).string("revocation_endpoint"))
        let token = try refreshToken()
        let client = "client_id=5a3d1e00-0000-4000-8000-000000000001"
        for _ in 1...2 { #expect(try await home.curl("-d", client, "-d", "token=\(token)", endpoint) == "{}") }
        let outcome = try await home.nativeauth("token", "--force-refresh")
        #expect(outcome.ending == .exit(4), "\(outcome)")
        try await server.stop()
    }

    @Test("discovery and keys")
    func documents() async throws {
        let server = try await home.serve()
        let document = try await home.discovery(server.url)
        let config = try object(await home.succeed("tenant", "config", "get", "--json"))
        #expect(document.string("issuer") == config.string("issuer"))
        for name in ["token_endpoint", "jwks_uri", "userinfo_endpoint"] {
            #expect(document.string(name)?.hasPrefix(server.url + "/") == true, "\(name)")
        }
        let keys = try object(await home.curl(try #require(document.string("jwks_uri"))))["keys"] as? [[String: Any]]
        let key = try #require(keys?.first)
        #expect(key.string("kty") == "RSA" && key.string("alg") == "RS256" && key.string("use") == "sig")
        #expect(key["d"] == nil && key["p"] == nil, "the private part stays here")
        try await server.stop()
    }

    @Test("its mail, settings and apps can be seen meanwhile; a second server has to wait")
    func administration() async throws {
        let server = try await home.serve()
        try await home.signUp("ada@example.com")
        #expect(try await home.code(for: "ada@example.com").count == 8)
        let mails = try JSONSerialization.jsonObject(with: Data(await home.succeed("tenant", "inbox", "--json").utf8))
        #expect((mails as? [[String: Any]])?.first?.string("to") == "ada@example.com")
        #expect(try await home.succeed("tenant", "config", "get", "authority") == server.url + "\n")
        let apps = try JSONSerialization.jsonObject(
            with: Data(await home.succeed("tenant", "app", "list", "--json").utf8))
        let list = try #require(apps as? [[String: Any]])
        #expect(list.compactMap { $0.string("flow") }.sorted() == ["email-code", "email-password"])
        #expect(
            list.allSatisfy { $0.string("client_id") != nil && $0.string("name") != nil && $0["scopes"] is [String] })
        let second = try await home.nativeauth("tenant", "serve")
        #expect(second.ending == .exit(75), "\(second)")
        #expect(second.errors.contains("The tenant is being served at \(server.url)."))
        try await server.stop()
        #expect(try await home.succeed("tenant", "config", "get", "authority").hasPrefix("http://127.0.0.1:8400/"))
        try await home.succeed("tenant", "config", "set", "code_length", "6")
    }

    @Test("any profile may name it by its address")
    func byAddress() async throws {
        let server = try await home.serve()
        let client = "5a3d1e00-0000-4000-8000-000000000001"
        try home.write(
            ".config/nativeauth/config.json",
            #"{"profiles": {"other": {"authority": "\#(server.url)", "client_id": "\#(client)"}}}"#)
        let outcome = try await home.run(try home.signUpFlags("ada@example.com") + ["--profile", "other", "--json"])()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(try object(outcome.output).string("profile") == "other")
        #expect(home.names(in: home.configFolder + "/accounts") == ["other.json", "other.lock"])
        try await home.succeed("token", "--profile", "other", "--force-refresh")
        let wrong = try await home.nativeauth(
            "signin", "-u", "ada@example.com", "--profile", "other", "--client-id", "unknown")
        #expect(wrong.ending == .exit(78), "\(wrong)")
        try await server.stop()
    }
}
