// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing

/// The calls of 1.x, by a name under which they may still be used without a warning.
@MainActor
private protocol OldAccount {
    func getAccessToken(scopes: [String], forceRefresh: Bool, correlationId: UUID?, delegate: any CredentialsDelegate)
}

extension MSALNativeAuthUserAccountResult: OldAccount {}

/// Access tokens by the call of 1.x, which wants a scope at least.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct OldCallTests {
    @Test func someScopeIsWanted() async throws {
        let scene = try AppScene()
        let account: any OldAccount = try await scene.account()
        let row = Row("none", tells: .says("Invalid scope", "isInvalidScope"))
        try await scene.check(row, errorMethod: "onAccessTokenRetrieveError") {
            account.getAccessToken(scopes: [], forceRefresh: false, correlationId: scene.id, delegate: $0)
        }
        #expect(scene.server.calls.count == 3)
    }

    @Test func scopeIsAskedFor() async throws {
        let scene = try AppScene()
        let account: any OldAccount = try await scene.account()
        let said = ScriptedTransport.Line.ok(Issuer.shared.tokens(access: "AT2", scope: "api://a/Read"))
        let heard = try await scene.hear([said]) {
            account.getAccessToken(scopes: ["api://a/Read"], forceRefresh: false, correlationId: nil, delegate: $0)
        }
        #expect(heard.told == .done("onAccessTokenRetrieveCompleted", ["AT2", "api://a/Read", "-"]))
    }
}
