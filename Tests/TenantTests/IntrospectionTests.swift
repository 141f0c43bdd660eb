// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// An API asks what a token is worth (RFC 7662).
struct IntrospectionTests {
    private let mira = "mira@lofoten.example"
    private let api = Resource.sample.id
    private let orders = "scope=api%3A%2F%2Fsample%2FOrders.Read+openid+offline_access"
    private let scene: Scene
    private let secret: String
    private let tokens: RawAnswer

    init() throws {
        scene = Scene(try TestTenant())
        secret = try #require(try scene.tenant.provider.makeSecret(forAPI: api))
        tokens = try scene.signedIn(mira, scope: orders)
    }

    private func basic(_ id: String, _ secret: String) -> [String: String] {
        ["authorization": "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString()]
    }

    private func ask(_ token: String, _ headers: [String: String]? = nil, _ more: String = "") throws -> RawAnswer {
        try scene.caller.post("/oauth2/v2.0/introspect", "token=\(token)\(more)", headers ?? basic(api, secret))
    }

    private func expectInactive(_ token: String, _ location: SourceLocation = #_sourceLocation) throws {
        let answer = try ask(token)
        #expect(answer.status == 200, sourceLocation: location)
        #expect(answer.body == Array(#"{"active":false}"#.utf8), sourceLocation: location)
        #expect(answer.headers["cache-control"] == "no-store", sourceLocation: location)
        #expect(answer.headers["content-type"] == "application/json; charset=utf-8", sourceLocation: location)
    }

    @Test("an access token that is good is described by its claims")
    func accessToken() throws {
        let claims = try #require(JWT(tokens.accessToken)).claims
        for more in ["", "&token_type_hint=access_token", "&token_type_hint=refresh_token", "&token_type_hint=other"] {
            let facts = try ask(tokens.accessToken, nil, more)
            #expect(facts.status == 200 && facts["active"] == .bool(true))
            for (name, claim) in [
                ("scope", "scp"), ("client_id", "azp"), ("username", "preferred_username"), ("jti", "uti"),
                ("exp", "exp"), ("iat", "iat"), ("nbf", "nbf"), ("sub", "sub"), ("aud", "aud"), ("iss", "iss"),
                ("sid", "sid"), ("oid", "oid"), ("tid", "tid"),
            ] {
                #expect(facts[name] == claims[claim] && claims[claim] != nil, "\(name)")
            }
            #expect(facts["token_type"] == .string("Bearer"))
        }
    }

    @Test("a refresh token that leads on is described by its session")
    func refreshToken() throws {
        let facts = try ask(tokens.refreshToken)
        #expect(facts["active"] == .bool(true))
        #expect(facts["client_id"] == .string(Scene.passwordApp))
        #expect(facts["username"] == .string(mira))
        #expect(facts["scope"] == .string("api://sample/Orders.Read openid offline_access"))
        #expect(facts["sub"] == JWT(tokens.accessToken)?.claims["sub"])
        #expect(facts["exp"] == .integer(1_780_000_000 + 90 * 86400))
    }

    @Test("Rule 74: of what is worth nothing, the same bytes are said, whatever the reason")
    func inactive() throws {
        let other = try scene.signedIn("nils@lofoten.example")
        let wrong = [
            "nonsense", "a.b.c", "\(tokens.accessToken)x", "\(tokens.refreshToken)x", "eyJhbGciOiJub25lIn0.e30.",
            // A token for somebody else's ears, and one that is no access token.
            other.accessToken, tokens["id_token"]?.string ?? "",
        ]
        for text in wrong { try expectInactive(text) }
        scene.tenant.clock.advance(by: 5400)
        try expectInactive(tokens.accessToken)
        scene.tenant.clock.advance(by: 90 * 86400)
        try expectInactive(tokens.refreshToken)
    }

    @Test("Rule 74: a session that is over takes its tokens with it", arguments: ["revoke", "reuse", "logout"])
    func endedSession(way: String) throws {
        var secrets = [tokens.refreshToken]
        switch way {
        case "revoke": #expect(try scene.revoke(tokens.refreshToken).status == 200)
        case "reuse":
            for _ in 0..<2 { secrets.append(try scene.refresh(secrets[secrets.count - 1]).refreshToken) }
            #expect(try scene.refresh(tokens.refreshToken).status == 400)
        default:
            let answer = try scene.caller.get("/oauth2/v2.0/logout?id_token_hint=\(tokens["id_token"]?.string ?? "")")
            #expect(answer.status == 200)
        }
        try expectInactive(tokens.accessToken)
        for secret in secrets { try expectInactive(secret) }
    }

    @Test("Rule 75: disabling an account, or deleting it, ends what its tokens are worth", arguments: [true, false])
    func account(isDeleted: Bool) throws {
        if isDeleted {
            #expect(try scene.tenant.provider.deleteAccount(mira))
        } else {
            #expect(try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = true })
        }
        try expectInactive(tokens.accessToken)
        try expectInactive(tokens.refreshToken)
        #expect(try scene.refresh(tokens.refreshToken).error == "invalid_grant")
    }

    @Test("in strict tenants a refresh token that was used is worth nothing")
    func strict() throws {
        let scene = Scene(try TestTenant { $0.refreshTokenReuse = .strict })
        let secret = try #require(try scene.tenant.provider.makeSecret(forAPI: api))
        let first = try scene.signedIn(mira).refreshToken
        let second = try scene.refresh(first).refreshToken
        for (token, isActive) in [(first, false), (second, true)] {
            let answer = try scene.caller.post("/oauth2/v2.0/introspect", "token=\(token)", basic(api, secret))
            #expect(answer["active"] == .bool(isActive))
        }
    }

    @Test("Rule 74: only an API with its secret is answered")
    func callers() throws {
        let inForm = try ask(tokens.accessToken, [:], "&client_id=\(api.uppercased())&client_secret=\(secret)")
        #expect(inForm["active"] == .bool(true))
        let strangers: [([String: String], String)] = [
            ([:], ""), (basic(api, "x"), ""), (basic(api, ""), ""), (basic(Scene.passwordApp, secret), ""),
            (basic("", ""), ""), (["authorization": "Basic !"], ""), (["authorization": "Bearer \(secret)"], ""),
            ([:], "&client_id=\(api)&client_secret=x"), ([:], "&client_secret=\(secret)"),
            ([:], "&client_id=\(Scene.passwordApp)"),
        ]
        for (headers, more) in strangers {
            let answer = try ask(tokens.accessToken, headers, more)
            #expect(answer.status == 401 && answer.error == "invalid_client", "\(headers) \(more)")
            #expect(answer.headers["www-authenticate"]?.hasPrefix("Basic ") == true)
            #expect(answer["active"] == nil)
        }
        let both = try ask(tokens.accessToken, nil, "&client_id=\(api)&client_secret=\(secret)")
        #expect(both.status == 400 && both.error == "invalid_request")
        #expect(try ask("").error == "invalid_request")
        #expect(try scene.caller.get("/oauth2/v2.0/introspect?token=x", basic(api, secret)).status == 405)
    }

    @Test("a new secret replaces the old one, and neither is kept", .inFile)
    func secretIsReplaced() throws {
        let next = try #require(try scene.tenant.provider.makeSecret(forAPI: api.uppercased()))
        #expect(next != secret && next.utf8.count == 43)
        #expect(try ask(tokens.accessToken).status == 401)
        #expect(try ask(tokens.accessToken, basic(api, next))["active"] == .bool(true))
        #expect(try scene.tenant.provider.makeSecret(forAPI: UUID().uuidString) == nil)
        for name in ["tenant.db", "tenant.db-wal"] {
            let file = try Data(contentsOf: URL(filePath: "\(scene.tenant.folder.path)/\(name)"))
            for text in [secret, next] { #expect(file.firstRange(of: Data(text.utf8)) == nil) }
        }
    }

    @Test("the call of the same address for second factors is still understood")
    func otherIntrospection() throws {
        let answer = try scene.caller.post(
            "/oauth2/v2.0/introspect", "client_id=\(Scene.passwordApp)&continuation_token=x&token=y")
        #expect(answer.status == 400 && answer.code == 55200)
    }

    @Test("it is in the tenant's description")
    func discovery() throws {
        let document = try scene.caller.get("/v2.0/.well-known/openid-configuration")
        #expect(document["introspection_endpoint"]?.string?.hasSuffix("/oauth2/v2.0/introspect") == true)
        #expect(
            document["introspection_endpoint_auth_methods_supported"]
                == .array([.string("client_secret_basic"), .string("client_secret_post")]))
    }
}
