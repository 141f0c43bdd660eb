// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// The tokens that the tenant issues, claim by claim.
struct IssuedTokenTests {
    private let scene: Scene
    private let now: Int64 = 1_780_000_000

    init() throws { scene = Scene(try TestTenant()) }

    private func published() throws -> KeySet.Key {
        let document = try scene.caller.get("/discovery/v2.0/keys")
        guard case .array(let keys)? = document["keys"] else { return KeySet.Key(kid: "", n: "", e: "") }
        let key = try #require(keys.first)
        #expect(keys.count == 1)
        #expect(Set(key.object?.keys ?? [:].keys) == ["kty", "use", "alg", "kid", "n", "e"])
        return KeySet.Key(kid: key["kid"]?.string ?? "", n: key["n"]?.string ?? "", e: key["e"]?.string ?? "")
    }

    @Test("Rules 58 and 59: the header of an ID token, and its claims") func idTokenClaims() throws {
        let settings = scene.tenant.provider.currentSettings
        let answer = try scene.signedIn("mira@lofoten.example")
        let token = try #require(JWT(answer["id_token"]?.string ?? ""))
        #expect(token.header == JWT.Header(alg: "RS256", kid: try published().kid, typ: "JWT"))
        #expect(scene.tenant.provider.signer.signed(token))
        let claims = token.claims
        #expect(claims["ver"] == .string("2.0"))
        #expect(claims["iss"] == .string("http://127.0.0.1:8400/\(settings.tenantID)/v2.0"))
        #expect(claims["aud"] == .string(Scene.passwordApp))
        #expect(claims["iat"] == .integer(now))
        #expect(claims["nbf"] == .integer(now))
        #expect(claims["auth_time"] == .integer(now))
        #expect(claims["exp"] == .integer(now + 3600))
        #expect(claims["tid"] == .string(settings.tenantID))
        #expect(claims["name"] == .string("unknown"))
        #expect(claims["preferred_username"] == .string("mira@lofoten.example"))
        #expect(claims["email"] == .string("mira@lofoten.example"))
        #expect(claims["country"] == .string("Norway"))
        #expect(UUID(uuidString: claims["oid"]?.string ?? "") != nil)
        #expect(UUID(uuidString: claims["sid"]?.string ?? "") != nil)
        #expect(claims["sub"]?.string?.contains("mira") == false)
        #expect(claims["sub"] != claims["oid"])
        let info = try #require(JSONValue(json: Array(Base64URL.decode(answer["client_info"]?.string ?? "") ?? Data())))
        #expect(info == .object(["uid": claims["oid"] ?? .null, "utid": .string(settings.tenantID)]))
    }

    @Test("Rule 59: an access token is for the API, and never for the client") func accessTokenOfAResource() throws {
        let answer = try scene.signedIn(
            "mira@lofoten.example",
            scope: "scope=api%3A%2F%2Fsample%2FOrders.Write+api%3A%2F%2Fsample%2FOrders.Read+openid+offline_access")
        let claims = try #require(JWT(answer.accessToken)).claims
        #expect(claims["aud"] == .string("5a3d1e00-0000-4000-8000-00000000a001"))
        #expect(claims["scp"] == .string("Orders.Write Orders.Read"))
        #expect(claims["azp"] == .string(Scene.passwordApp))
        #expect(claims["azpacr"] == .string("0"))
        #expect(claims["exp"]?.integer.map { (now + 3600...now + 5400).contains($0) } == true)
        #expect(answer["expires_in"] == claims["exp"]?.integer.map { .integer($0 - now) })
        #expect(answer["ext_expires_in"] == answer["expires_in"])
        #expect(claims["country"] == nil)
    }

    @Test func accessTokenWithoutAResource() throws {
        let claims = try #require(JWT(try scene.signedIn("mira@lofoten.example").accessToken)).claims
        #expect(claims["aud"] == .string("00000003-0000-0000-c000-000000000000"))
        #expect(claims["scp"] == .string("openid profile offline_access"))
    }

    @Test func twoResourcesAreTooMany() throws {
        // The sample API is the only one, so the other has to be an unknown one.
        let answer = try scene.signedIn(
            "mira@lofoten.example", scope: "scope=api%3A%2F%2Fsample%2FOrders.Read+api%3A%2F%2Fother%2FRead")
        #expect(answer.error == "invalid_scope")
    }

    /// Each app knows a person by another name; the object id is the same.
    @Test("Rule 60: each app knows a person by another name, which is not the address") func subjectIsPairwise() throws
    {
        let first = try #require(JWT(try scene.signedIn("mira@lofoten.example").accessToken)).claims
        let app = try scene.app(.password, [])
        let sent = try scene.signInChallenge(
            try scene.caller.post(
                "/oauth2/v2.0/initiate",
                "client_id=\(app)&username=mira%40lofoten.example&challenge_type=password+redirect"
            ).token,
            app: app)
        let answer = try scene.token(
            "grant_type=password&continuation_token=\(sent.token)&password=\(Scene.password)", app: app)
        let second = try #require(JWT(answer.accessToken)).claims
        #expect(first["oid"] == second["oid"])
        #expect(first["sub"] != second["sub"])
        let again = try #require(
            JWT(
                try scene.submit(password: Scene.password, try scene.challenged("mira@lofoten.example").token)
                    .accessToken))
        #expect(again.claims["sub"] == first["sub"])
        #expect(again.claims["uti"] != first["uti"])
        #expect(again.claims["sid"] != first["sid"])
    }

    @Test("Rule 60: who is deleted and signs up again is somebody else")
    func identifiersAreNotUsedAgain() throws {
        let first = try #require(JWT(try scene.signedIn("mira@lofoten.example").accessToken)).claims
        #expect(try scene.tenant.provider.deleteAccount("mira@lofoten.example"))
        scene.tenant.clock.advance(by: 1)
        let second = try #require(JWT(try scene.signedIn("mira@lofoten.example").accessToken)).claims
        for name in ["sub", "oid", "sid"] { #expect(first[name] != second[name] && second[name] != nil) }
    }

    @Test("Rule 66: the token endpoint has the grants of the protocol, and no other")
    func grants() throws {
        _ = try scene.signedIn("mira@lofoten.example")
        let password = try scene.caller.post(
            "/oauth2/v2.0/token",
            "client_id=\(Scene.passwordApp)&grant_type=password&username=mira@lofoten.example&password=\(Scene.password)"
        )
        #expect(password.status == 400 && password.accessToken.isEmpty)
        for grant in [
            "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer",
        ] {
            let answer = try scene.token("grant_type=\(grant)")
            #expect(answer.status == 400 && answer.error == "unsupported_grant_type", "\(grant)")
        }
    }

    @Test func refreshedTokensKeepTheTimeOfTheSignIn() throws {
        let secret = try scene.signedIn("mira@lofoten.example").refreshToken
        scene.tenant.clock.advance(by: 1000)
        let claims = try #require(JWT(try scene.refresh(secret).accessToken)).claims
        #expect(claims["auth_time"] == .integer(now))
        #expect(claims["iat"] == .integer(now + 1000))
    }

    @Test("Rule 64: the description names the issuer of the tokens, whatever Host says")
    func discoverySaysWhatTokensHold() throws {
        let id = scene.tenant.provider.currentSettings.tenantID
        for headers in [[:], ["host": "evil.example"], ["x-forwarded-host": "evil.example"]] {
            let document = try scene.caller.get("/v2.0/.well-known/openid-configuration", headers)
            #expect(document["issuer"] == .string("http://127.0.0.1:8400/\(id)/v2.0"))
            #expect(document["token_endpoint"] == .string("http://127.0.0.1:8400/\(id)/oauth2/v2.0/token"))
            #expect(document["jwks_uri"] == .string("http://127.0.0.1:8400/\(id)/discovery/v2.0/keys"))
            // Clients of the family do not begin without one.
            #expect(document["authorization_endpoint"] == .string("http://127.0.0.1:8400/\(id)/oauth2/v2.0/authorize"))
            #expect(document["revocation_endpoint"] == .string("http://127.0.0.1:8400/\(id)/oauth2/v2.0/revoke"))
            #expect(document["revocation_endpoint_auth_methods_supported"] == .array([.string("none")]))
            #expect(document["subject_types_supported"] == .array([.string("pairwise")]))
            #expect(document["id_token_signing_alg_values_supported"] == .array([.string("RS256")]))
        }
    }

    @Test func upperCaseClientIDIsTheSameApp() throws {
        let app = try scene.app(.code, []).uppercased()
        try scene.tenant.provider.save(AppRegistration(clientID: app, name: "Upper", userFlow: "email-code"))
        let done = try scene.verified("mira@lofoten.example", app: app, "&\(Scene.country)")
        #expect(!done.token.isEmpty)
        let answer = try scene.token("grant_type=continuation_token&continuation_token=\(done.token)", app: app)
        #expect(JWT(answer["id_token"]?.string ?? "")?.claims["aud"] == .string(app.lowercased()))
    }
}

// MARK: - Userinfo

struct UserInfoTests {
    private let scene: Scene

    init() throws { scene = Scene(try TestTenant()) }

    private func ask(_ authorization: String?) throws -> RawAnswer {
        try scene.caller.get("/oidc/userinfo", authorization.map { ["authorization": $0] } ?? [:])
    }

    @Test func claimsOfTheAccount() throws {
        let tokens = try scene.signedIn("mira@lofoten.example")
        let claims = try #require(JWT(tokens["id_token"]?.string ?? "")).claims
        for scheme in ["Bearer", "bearer"] {
            let answer = try ask("\(scheme) \(tokens.accessToken)")
            #expect(answer.status == 200)
            #expect(answer["sub"] == claims["sub"])
            #expect(answer["oid"] == claims["oid"])
            #expect(answer["email"] == .string("mira@lofoten.example"))
            #expect(answer["preferred_username"] == .string("mira@lofoten.example"))
            #expect(answer["country"] == .string("Norway"))
        }
        let posted = try scene.caller.answer(
            "POST", "/oidc/userinfo", ["authorization": "Bearer \(tokens.accessToken)"], "")
        #expect(posted.status == 200)
    }

    @Test func noTokenIsAsked() throws {
        for header in [nil, "", "Basic YTpi", "Bearer"] as [String?] {
            let answer = try ask(header)
            #expect(answer.status == 401)
            #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        }
        #expect(try ask(nil).headers["www-authenticate"] == "Bearer")
    }

    @Test func otherTokensAreRefused() throws {
        let tokens = try scene.signedIn("mira@lofoten.example")
        let sample = try scene.refresh(tokens.refreshToken, scope: "scope=api%3A%2F%2Fsample%2FOrders.Read")
        let parts = tokens.accessToken.split(separator: ".").map(String.init)
        let none = Base64URL.encode(#"{"alg":"none"}"#.utf8)
        let deep = Base64URL.encode(#"{"a":\#(String(repeating: "[", count: 5000))"#.utf8)
        let bad = [
            "x", "a.b.c", tokens.accessToken + "A", "\(none).\(parts[1]).", "\(parts[0]).\(parts[1]).AAAA",
            "\(parts[0]).\(deep).AAAA",
            tokens["id_token"]?.string ?? "", sample.accessToken, tokens.refreshToken,
        ]
        for token in bad {
            let answer = try ask("Bearer \(token)")
            #expect(answer.status == 401)
            #expect(answer.error == "invalid_token")
            #expect(answer["email"] == nil)
        }
    }

    @Test func expiredTokenIsRefused() throws {
        let tokens = try scene.signedIn("mira@lofoten.example")
        let life = Double(tokens["expires_in"]?.integer ?? 0)
        scene.tenant.clock.advance(by: life - 1)
        #expect(try ask("Bearer \(tokens.accessToken)").status == 200)
        scene.tenant.clock.advance(by: 1)
        let answer = try ask("Bearer \(tokens.accessToken)")
        #expect(answer.status == 401)
        #expect(answer.headers["www-authenticate"]?.contains(#"error="invalid_token""#) == true)
    }
}
