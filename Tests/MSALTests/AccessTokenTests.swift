// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing
import Wire

/// Access tokens: from the cache, and by a refresh.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct AccessTokenTests {
    typealias Line = ScriptedTransport.Line

    private static let standard = "openid profile offline_access"
    private let scene: AppScene

    init() throws { scene = try AppScene() }

    /// Tokens of this moment.
    private func tokens(_ access: String, scope: String = standard, more: String = "") -> Line {
        .ok(
            Issuer.shared.tokens(
                access: access, refresh: "RT2.secret", scope: scope, more: more,
                at: Int64(scene.clock.now.timeIntervalSince1970)))
    }

    private func wish(
        _ change: (MSALNativeAuthGetAccessTokenParameters) -> Void = { _ in }
    ) -> MSALNativeAuthGetAccessTokenParameters {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.correlationId = scene.id
        change(parameters)
        return parameters
    }

    private func heard(
        of account: MSALNativeAuthUserAccountResult, _ said: Line...,
        change: (MSALNativeAuthGetAccessTokenParameters) -> Void = { _ in }
    ) async throws -> Heard {
        try await scene.hear(said) { account.getAccessToken(parameters: wish(change), delegate: $0) }
    }

    // MARK: The cache

    @Test func cachedTokenTakesNoRequest() async throws {
        let account = try await scene.account()
        let heard = try await heard(of: account)
        #expect(
            heard.told == .done("onAccessTokenRetrieveCompleted", ["AT1.secret", "offline_access openid profile", "-"]))
        #expect(heard.tokens?.expiresOn == scene.clock.now.addingTimeInterval(4523))
        #expect(scene.server.calls.count == 3)
    }

    @Test(arguments: [(4523 - 300, "AT1.secret"), (4523 - 299, "AT2"), (5000, "AT2"), (-1, "AT2")])
    func fiveMinutesHaveToBeLeft(_ seconds: Int, _ token: String) async throws {
        let account = try await scene.account()
        scene.clock.advance(by: TimeInterval(seconds))
        #expect(try await heard(of: account, tokens("AT2")).tokens?.accessToken == token)
    }

    @Test func refreshIsAsked() async throws {
        let account = try await scene.account(scopes: ["api://a/Read"])
        let heard = try await heard(of: account, tokens("AT2", scope: "api://a/Read \(Self.standard)")) {
            $0.forceRefresh = true
            $0.scopes = ["api://a/Read"]
        }
        #expect(heard.tokens?.scopes.contains("api://a/Read") == true)
        #expect(
            scene.server.form(3) == [
                "client_id": Fjordshop.clientID, "grant_type": "refresh_token", "refresh_token": "RT1.secret",
                "scope": "api://a/Read openid profile offline_access", "client_info": "1",
            ])
    }

    @Test func claimsAreNotInTheCache() async throws {
        let account = try await scene.account()
        let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c4"}}}"#
        let heard = try await heard(of: account, tokens("AT2")) {
            $0.claimsRequest = MSALClaimsRequest(jsonString: claims, error: nil)
        }
        #expect(heard.tokens?.accessToken == "AT2")
        #expect(scene.server.form(3)["claims"] == claims)
    }

    @Test(arguments: ["{}", #"{"access_token":{}}"#])
    func noClaimsAreNone(_ json: String) async throws {
        let account = try await scene.account()
        let heard = try await heard(of: account) {
            $0.claimsRequest = MSALClaimsRequest(jsonString: json, error: nil)
        }
        #expect(heard.tokens?.accessToken == "AT1.secret")
    }

    @Test(arguments: [nil, []] as [[String]?])
    func noScopesAreThoseOfTheSignIn(_ scopes: [String]?) async throws {
        let account = try await scene.account(
            tokens("AT-A", scope: "api://a/Read \(Self.standard)"), scopes: ["api://a/Read"])
        #expect(try await heard(of: account) { $0.scopes = scopes }.tokens?.accessToken == "AT-A")
    }

    @Test func anyCaseAndAnyPartOfTheScopesWillDo() async throws {
        let account = try await scene.account(
            tokens("AT-A", scope: "api://a/Read api://a/Write"), scopes: ["api://a/Read", "api://a/Write"])
        #expect(try await heard(of: account) { $0.scopes = ["API://a/WRITE"] }.tokens?.accessToken == "AT-A")
    }

    @Test func tokensOfOtherResourcesStandBeside() async throws {
        let account = try await scene.account(tokens("AT-A", scope: "api://a/Read"), scopes: ["api://a/Read"])
        let other = try await heard(of: account, tokens("AT-B", scope: "api://b/Read")) { $0.scopes = ["api://b/Read"] }
        #expect(other.tokens?.accessToken == "AT-B")
        for (scope, token) in [("api://a/Read", "AT-A"), ("api://b/Read", "AT-B")] {
            #expect(try await heard(of: account) { $0.scopes = [scope] }.tokens?.accessToken == token)
        }
    }

    @Test(arguments: [[Line.down, .down], [.no("invalid_grant", nil, 1)]])
    func tokenThatTheTenantWantsToRenew(_ said: [Line]) async throws {
        let account = try await scene.account(tokens("AT1", more: #","refresh_in":60"#))
        #expect(try await heard(of: account).tokens?.accessToken == "AT1")
        scene.clock.advance(by: 61)
        said.forEach { scene.server.add($0) }
        let heard = try await heard(of: account)
        // A server that has no time takes nothing from a token that is still good.
        #expect(heard.tokens?.accessToken == (said.count == 2 ? "AT1" : nil))
        #expect(scene.server.isOver)
    }

    // MARK: What comes with it

    @Test func refreshTokenIsGivenToWhoeverAsks() async throws {
        let account = try await scene.account()
        #expect(try await heard(of: account) { $0.returnRefreshToken = true }.tokens?.refreshToken == "RT1.secret")
        let forced = try await heard(of: account, tokens("AT2")) {
            $0.returnRefreshToken = true
            $0.forceRefresh = true
        }
        #expect(forced.tokens?.refreshToken == "RT2.secret")
        #expect(try await heard(of: account).tokens?.refreshToken == nil)
    }

    @Test func resultHoldsTheNewIDToken() async throws {
        let account = try await scene.account()
        let before = account.idToken
        let id = Issuer.shared.idToken { $0["name"] = .string("Mira Lofoten") }
        _ = try await heard(of: account, .ok(Issuer.shared.tokens(access: "AT2", id: id))) { $0.forceRefresh = true }
        #expect(account.idToken == id)
        #expect(account.idToken != before)
        #expect(account.account.accountClaims?["name"] as? String == "Mira Lofoten")
    }

    /// Microsoft's SDK says nothing any more once the result is gone.
    @Test func resultNeedsNotBeKept() async throws {
        let parameters = wish { $0.forceRefresh = true }
        _ = try await scene.account()
        var account = scene.app.getNativeAuthUserAccount()
        let heard = try await scene.hear([tokens("AT2")]) {
            account?.getAccessToken(parameters: parameters, delegate: $0)
            account = nil
        }
        #expect(heard.tokens?.accessToken == "AT2")
    }
}
