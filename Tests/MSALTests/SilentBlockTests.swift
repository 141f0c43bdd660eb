// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import TenantTesting
import Testing

/// Tokens by the calls that Microsoft's SDK has for all its apps.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct SilentBlockTests {
    private struct Said {
        let result: MSALResult?
        let error: NSError?
    }

    /// Takes what a block is told, which may be once, on the main queue, and not before the call has returned.
    private func acquire(
        _ scene: AppScene, _ parameters: MSALSilentTokenParameters, then line: ScriptedTransport.Line? = nil
    ) async -> Said {
        line.map { scene.server.add($0) }
        var hasReturned = false
        return await withCheckedContinuation { (end: CheckedContinuation<Said, Never>) in
            scene.app.acquireTokenSilent(with: parameters) { result, error in
                dispatchPrecondition(condition: .onQueue(.main))
                #expect(hasReturned)
                end.resume(returning: Said(result: result, error: error as NSError?))
            }
            hasReturned = true
        }
    }

    @Test func cachedToken() async throws {
        let scene = try AppScene()
        let account = try await scene.account().account
        let said = await acquire(scene, MSALSilentTokenParameters(scopes: [], account: account))
        #expect(said.result?.accessToken == "AT1.secret")
        #expect(said.error == nil)
    }

    @Test func scopesThatAreDeclined() async throws {
        let scene = try AppScene()
        let account = try await scene.account().account
        let parameters = MSALSilentTokenParameters(scopes: ["api://a/Read", "OpenID2"], account: account)
        parameters.correlationId = scene.id
        let error = await acquire(scene, parameters, then: .ok(Issuer.shared.tokens(scope: "openid openid2"))).error
        #expect(error?.domain == MSALErrorDomain)
        #expect(error?.code == MSALError.serverDeclinedScopes.rawValue)
        #expect(error?.userInfo[MSALGrantedScopesKey] as? [String] == ["openid", "openid2"])
        #expect(error?.userInfo[MSALDeclinedScopesKey] as? [String] == ["api://a/Read"])
        #expect(error?.userInfo[MSALCorrelationIDKey] as? String == scene.id.uuidString)
        #expect(error?.userInfo[MSALHomeAccountIdKey] as? String == account.identifier)
        #expect(error?.userInfo[MSALDisplayableUserIdKey] as? String == Fjordshop.mira)
        #expect(error?.userInfo[MSALOAuthErrorKey] == nil)
    }

    @Test(arguments: [
        ("invalid_grant", "bad_token", MSALError.interactionRequired), ("server_error", "", .serverError),
        ("temporarily_unavailable", "", .internal),
    ])
    func refusedRefresh(_ word: String, _ suberror: String, _ code: MSALError) async throws {
        let scene = try AppScene()
        let account = try await scene.account().account
        let parameters = MSALSilentTokenParameters(scopes: [], account: account)
        parameters.forceRefresh = true
        let error = await acquire(
            scene, parameters, then: .no(word, suberror.isEmpty ? nil : suberror)
        ).error
        #expect(error?.code == code.rawValue)
        #expect(error?.userInfo[MSALOAuthErrorKey] as? String == word)
        #expect(error?.userInfo[MSALOAuthSubErrorKey] as? String == (suberror.isEmpty ? nil : suberror))
        #expect(error?.localizedDescription == error?.userInfo[MSALErrorDescriptionKey] as? String)
    }

    @Test func afterTheSignOut() async throws {
        let scene = try AppScene()
        let account = try await scene.account().account
        try scene.app.remove(account)
        let error = await acquire(scene, MSALSilentTokenParameters(scopes: [], account: account)).error
        #expect(error?.code == MSALError.interactionRequired.rawValue)
        #expect(try await scene.app.currentAccount(with: nil).0 == nil)
    }

    @Test func accountsOfTheDevice() async throws {
        let scene = try AppScene()
        let account = try await scene.account().account
        let named = try #require(account.identifier)
        for (parameters, count) in [
            (MSALAccountEnumerationParameters(), 1), (MSALAccountEnumerationParameters(identifier: named), 1),
            (MSALAccountEnumerationParameters(identifier: "a.b"), 0),
            (MSALAccountEnumerationParameters(identifier: nil, username: Fjordshop.mira.uppercased()), 1),
            (MSALAccountEnumerationParameters(identifier: "a.b", username: Fjordshop.mira), 0),
            (MSALAccountEnumerationParameters(tenantProfileIdentifier: Fjordshop.objectID), 1),
        ] {
            #expect(try scene.app.accounts(for: parameters).count == count)
            #expect(try await scene.app.accountsFromDevice(for: parameters).count == count)
        }
    }
}
