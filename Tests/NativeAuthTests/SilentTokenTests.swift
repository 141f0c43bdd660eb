// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing

/// Which token an app gets without anybody being asked: several resources, claims, and tokens to be renewed early.
struct SilentTokenTests {
    private let scene: SessionScene
    private let claims = ClaimsRequest(accessToken: ["acrs": .init(essential: true, value: "c4")])

    init() throws { scene = try SessionScene() }

    // MARK: - Scopes

    @Test func disjointResourcesStaySideBySide() async throws {
        let account = try await scene.signIn()
        for name in ["a", "b", "c"] {
            scene.server.add(.ok(scene.tokens("AT-\(name)", scope: "api://\(name)/Read \(SessionScene.standard)")))
            #expect(try await account.accessToken(scopes: ["api://\(name)/Read"]).value == "AT-\(name)")
        }
        for name in ["b", "a", "c"] {
            #expect(try await account.accessToken(scopes: ["api://\(name)/Read"]).value == "AT-\(name)")
        }
        #expect(scene.server.calls.count == 6)
        // Overlapping ones make way.
        scene.server.add(.ok(scene.tokens("AT-ab", scope: "api://a/Read api://b/Read \(SessionScene.standard)")))
        let both = ["api://a/Read", "api://b/Read"]
        #expect(try await account.accessToken(scopes: both).value == "AT-ab")
        for scope in both { #expect(try await account.accessToken(scopes: [scope]).value == "AT-ab") }
        for name in ["AT-a\"", "AT-b\""] { #expect(!scene.kept.contains(name)) }
        #expect(scene.kept.contains("AT-c\""))
    }

    @Test(arguments: [
        ("openid profile", ["openid", "profile"]), ("api://a/Read openid", ["api://a/Read", "openid"]), ("", []),
    ])
    func lessWasGranted(_ granted: String, _ scopes: [String]) async throws {
        let account = try await scene.signIn()
        scene.server.add(.ok(scene.tokens("AT2", scope: granted)), .ok(scene.tokens("AT3")))
        let error = await authFailure {
            try await account.accessToken(scopes: ["api://a/Read", "api://a/Write"], forceRefresh: true)
        }
        #expect(error?.reason == .scopesDeclined(granted: scopes))
        // What came is kept.
        #expect(scene.kept.contains("AT2"))
        _ = try await account.accessToken(forceRefresh: true)
        #expect(scene.server.form(4)["refresh_token"] == "RT2")
    }

    @Test func moreWasGranted() async throws {
        let account = try await scene.signIn()
        scene.server.add(.ok(scene.tokens("AT2", scope: "API://A/READ api://a/Write openid")))
        #expect(try await account.accessToken(scopes: ["api://a/Read"]).value == "AT2")
    }

    /// An answer without `scope` grants what was asked for (RFC 6749, section 5.1).
    @Test func nothingWasSaidAboutScopes() async throws {
        let account = try await scene.signIn()
        scene.server.add(.ok(scene.tokens("AT2").replacing("\"scope\"", with: "\"left_out\"")))
        let token = try await account.accessToken(scopes: ["api://a/Read"])
        #expect(token.value == "AT2")
        #expect(token.scopes.contains("api://a/Read"))
        #expect(try await account.accessToken(scopes: ["api://a/Read"]).value == "AT2")
    }

    /// A newer token that has expired does not hide an older one that has not.
    @Test func expiredTokensDoNotShadow() async throws {
        let account = try await scene.signIn(
            tokens: scene.tokens("AT1.secret", refresh: "RT1.secret", scope: "api://a/Read openid"))
        scene.clock.advance(by: 1)
        let short = scene.tokens("AT2", scope: "api://b/Read openid")
            .replacing("\"expires_in\":4523", with: "\"expires_in\":400")
        scene.server.add(.ok(short))
        #expect(try await account.accessToken(scopes: ["api://b/Read"]).value == "AT2")
        scene.clock.advance(by: 200)
        // Any token will do, but only one of them is good for five minutes more.
        #expect(try await account.accessToken().value == "AT1.secret")
        #expect(scene.server.isOver)
    }

    // MARK: - Claims

    @Test func claimsAlwaysGoToTheTenant() async throws {
        let account = try await scene.signIn()
        scene.server.add(.ok(scene.tokens("AT2")), .ok(scene.tokens("AT3", refresh: "RT3")))
        #expect(try await account.accessToken(claims: claims).value == "AT2")
        #expect(try await scene.client.accessToken(claims: claims).value == "AT3")
        #expect(
            scene.server.form(3) == [
                "client_id": Fjordshop.clientID, "grant_type": "refresh_token", "refresh_token": "RT1.secret",
                "scope": "openid profile offline_access", "client_info": "1",
                "claims": #"{"access_token":{"acrs":{"essential":true,"value":"c4"}}}"#,
            ])
        #expect(scene.server.form(4)["refresh_token"] == "RT2")
        // The answer is kept as usual.
        #expect(try await account.accessToken().value == "AT3")
        #expect(scene.server.calls.count == 5)
    }

    @Test func noClaimsAreNoReasonToAsk() async throws {
        let account = try await scene.signIn()
        #expect(try await account.accessToken(claims: ClaimsRequest()).value == "AT1.secret")
        scene.server.add(.ok(scene.tokens("AT2")))
        _ = try await account.accessToken(claims: try ClaimsRequest(json: "{}"), forceRefresh: true)
        #expect(scene.server.form(3)["claims"] == nil)
    }

    @Test func aTokenWithoutTheClaimsIsNoAnswer() async throws {
        let account = try await scene.signIn()
        scene.server.add(.failure(.noConnection), .failure(.noConnection))
        #expect(await authFailure { try await account.accessToken(claims: claims) }?.reason == .network(.noConnection))
    }

    // MARK: - Renewing early

    private func signInForEarlyRenewal() async throws -> Account {
        let account = try await scene.signIn(
            tokens: scene.tokens("AT1.secret", refresh: "RT1.secret", more: #","refresh_in":2000"#))
        scene.clock.advance(by: 1999)
        #expect(try await account.accessToken().value == "AT1.secret")
        #expect(scene.server.calls.count == 3)
        scene.clock.advance(by: 1)
        return account
    }

    @Test func tokenIsRenewedEarly() async throws {
        let account = try await signInForEarlyRenewal()
        scene.server.add(.ok(scene.tokens("AT2")))
        let token = try await account.accessToken()
        #expect(token.value == "AT2")
        #expect(token.wasRefreshed)
        #expect(try await account.accessToken().value == "AT2")
        #expect(scene.server.calls.count == 4)
    }

    static let noVerdicts: [[ScriptedTransport.Line]] = [
        [.failure(.noConnection), .failure(.noConnection)], [.answer(503, ""), .answer(500, "")], [.answer(429, "")],
    ]

    @Test(arguments: noVerdicts)
    func validTokenServesWhereTheTenantIsAway(_ said: [ScriptedTransport.Line]) async throws {
        let account = try await signInForEarlyRenewal()
        for line in said { scene.server.add(line) }
        let token = try await account.accessToken()
        #expect(token.value == "AT1.secret")
        #expect(!token.wasRefreshed)
        #expect(scene.server.isOver)
    }

    @Test func cancelledTaskGetsNoToken() async throws {
        let account = try await signInForEarlyRenewal()
        scene.server.add(.failure(.cancelled))
        #expect(await authFailure { try await account.accessToken() }?.reason == .cancelled)
    }

    // MARK: - The account

    /// Tokens that are not believed take nothing from the account that is there.
    @Test(arguments: [
        Issuer.shared.tokens(access: "AT9", id: Issuer.stranger.idToken()),
        Issuer.shared.tokens(access: "AT9", id: "garbage"),
        Issuer.shared.tokens(access: "AT9").replacing("\"token_type\"", with: "\"left_out\""), "{}",
    ])
    func badTokensReplaceNobody(_ said: String) async throws {
        let account = try await scene.signIn()
        let before = scene.storage.load()
        scene.server.add(.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(said))
        #expect(await signInFailure { try await scene.client.signIn(username: "b", password: "p") } != nil)
        #expect(scene.server.isOver)
        #expect(scene.storage.load() == before)
        #expect(try await account.accessToken().value == "AT1.secret")
    }
}
