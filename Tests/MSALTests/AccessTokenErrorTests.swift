// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing

/// Why there is no access token: always by a text, never by a flag.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct AccessTokenErrorTests {
    typealias Line = ScriptedTransport.Line

    private nonisolated static let none =
        "No token matching arguments found in the cache, user interaction is required"
    private nonisolated static let factor =
        "Multi-factor authentication is required, which can't be fulfilled as part of this flow. Please sign out and "
        + "perform a new sign in operation. More information: AADSTS1: The server's words."
    private nonisolated static let password =
        "User password change is required, which can't be fulfilled as part of this flow. Please reset the password "
        + "and perform a new sign in operation. More information: AADSTS1: The server's words."

    nonisolated static let rows: [Row] = [
        Row("expired", .no("invalid_grant", nil, 700_082), tells: .says(Script.words, codes: 700_082)),
        Row("consent", .no("invalid_grant", "consent_required", 65001), tells: .says(Script.words, codes: 65001)),
        Row("a scope", .no("invalid_scope", nil, 70011), tells: .says(Script.words, codes: 70011)),
        Row("another app", .no("unauthorized_client", nil, 700_016), tells: .says(Script.words, codes: 700_016)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .says(Script.words, codes: 7)),
        Row("a factor", .no("invalid_grant", nil, 50076), tells: .says(factor, codes: 50076)),
        Row("a factor in second place", .no("invalid_grant", nil, 1, 50076), tells: .says(factor, codes: 1, 50076)),
        Row("a factor by another error", .no("interaction_required", nil, 50076), tells: .says(factor, codes: 50076)),
        Row("a new password", .no("invalid_grant", nil, 50142), tells: .says(password, codes: 50142)),
        Row("a new password, later", .no("invalid_request", nil, 1, 50142), tells: .says(password, codes: 1, 50142)),
        Row("a browser", .browser, tells: .says(Script.reason)),
        Row("no network", .offline, .offline, tells: .says("scripted")),
    ]

    @Test(arguments: rows)
    func refresh(_ row: Row) async throws {
        let scene = try AppScene()
        let account = try await scene.account()
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.correlationId = scene.id
        parameters.forceRefresh = true
        try await scene.check(row, errorMethod: "onAccessTokenRetrieveError") {
            account.getAccessToken(parameters: parameters, delegate: $0)
        }
        // Nobody is signed out by it.
        #expect(scene.app.getNativeAuthUserAccount() != nil)
    }

    /// A sign-in may name them, for it asks for them in any case.
    @Test(arguments: ["openid", "profile", "offline_access", Fjordshop.clientID])
    func reservedScope(_ scope: String) async throws {
        let scene = try AppScene()
        let account = try await scene.account()
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = ["api://a/Read", scope]
        parameters.forceRefresh = true
        let heard = try await scene.hear { account.getAccessToken(parameters: parameters, delegate: $0) }
        let text = try #require(heard.error?.errorDescription)
        #expect(text.contains("are reserved scopes and may not be specified in the acquire token call."))
        #expect(text.contains(scope))
        #expect(heard.error?.flags == [])
        #expect(scene.server.calls.count == 3)
    }

    @Test func declinedScopes() async throws {
        let scene = try AppScene()
        let account = try await scene.account()
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = ["api://a/Read"]
        let heard = try await scene.hear([.ok(Issuer.shared.tokens(access: "AT2"))]) {
            account.getAccessToken(parameters: parameters, delegate: $0)
        }
        #expect(heard.method == "onAccessTokenRetrieveError")
        #expect(heard.error?.flags == [])
        #expect(heard.error?.errorDescription?.contains("declined scopes") == true)
        // What came is kept.
        let next = try await scene.hear { account.getAccessToken(parameters: .init(), delegate: $0) }
        #expect(next.tokens?.accessToken == "AT2")
    }

    @Test func noRefreshToken() async throws {
        let scene = try AppScene()
        let account = try await scene.account(.ok(Issuer.shared.tokens(refresh: nil)))
        scene.clock.advance(by: 5000)
        try await expectNone(scene, account)
    }

    @Test func afterSigningOut() async throws {
        let scene = try AppScene()
        let account = try await scene.account()
        account.signOut()
        try await expectNone(scene, account)
    }

    @Test func unusableRefreshTokenIsForgotten() async throws {
        let scene = try AppScene()
        let account = try await scene.account()
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.forceRefresh = true
        let bad = Line.no("invalid_grant", "bad_token", 70000)
        _ = try await scene.hear([bad]) { account.getAccessToken(parameters: parameters, delegate: $0) }
        #expect(scene.app.getNativeAuthUserAccount() != nil)
        scene.clock.advance(by: 5000)
        try await expectNone(scene, account, after: 4)
    }

    @Test func deletedAccountIsForgotten() async throws {
        let scene = try AppScene()
        let account = try await scene.account()
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.forceRefresh = true
        let gone = Line.no("invalid_grant", "user_account_deleted", 1)
        _ = try await scene.hear([gone]) { account.getAccessToken(parameters: parameters, delegate: $0) }
        #expect(scene.app.getNativeAuthUserAccount() == nil)
    }

    private func expectNone(
        _ scene: AppScene, _ account: MSALNativeAuthUserAccountResult, after calls: Int = 3
    ) async throws {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.correlationId = scene.id
        try await scene.check(Row("none", tells: .says(Self.none)), errorMethod: "onAccessTokenRetrieveError") {
            account.getAccessToken(parameters: parameters, delegate: $0)
        }
        #expect(scene.server.calls.count == calls)
    }

    /// The same refresh is not made again for a while after it failed, unless it is forced.
    @Test func failureIsRememberedForTwoMinutes() async throws {
        let scene = try AppScene()
        let account = try await scene.account()
        scene.clock.advance(by: 5000)
        let refused = Line.no("invalid_grant", nil, 700_082)
        for (seconds, calls) in [(0, 4), (119, 4), (2, 5)] {
            scene.clock.advance(by: TimeInterval(seconds))
            if calls != scene.server.calls.count { scene.server.add(refused) }
            let heard = try await scene.hear { account.getAccessToken(parameters: .init(), delegate: $0) }
            #expect(heard.told == .says(Script.words, codes: 700_082))
            #expect(scene.server.calls.count == calls)
        }
    }
}
