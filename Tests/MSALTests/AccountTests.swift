// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing
import Wire

/// The account in the cache.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct AccountTests {
    private static let other = "11111111-9a1e-4c7c-8e64-0f5a3a9b1c20"

    /// Tokens of somebody else at the same tenant.
    private static let otherTokens: ScriptedTransport.Line = {
        let id = Issuer.shared.idToken {
            $0["oid"] = .string(other)
            $0["preferred_username"] = .string("nils@lofoten.example")
        }
        // Without the member that names the account, the ID token does.
        return .ok(Issuer.shared.tokens(access: "AT-B", id: id).replacing("client_info", with: "left_out"))
    }()

    @Test func nobody() throws {
        let scene = try AppScene()
        #expect(scene.app.getNativeAuthUserAccount() == nil)
        #expect(try scene.app.allAccounts().isEmpty)
    }

    @Test func whoSignedIn() async throws {
        let scene = try AppScene()
        let result = try await scene.account()
        let account = result.account
        #expect(account.username == Fjordshop.mira)
        #expect(account.identifier == "\(Fjordshop.objectID).\(Fjordshop.tenantID)")
        #expect(account.homeAccountId?.objectId == Fjordshop.objectID)
        #expect(account.homeAccountId?.tenantId == Fjordshop.tenantID)
        #expect(account.environment == "fjordshop.ciamlogin.com")
        #expect(account.accountClaims?["name"] as? String == "Mira L")
        #expect(!account.isSSOAccount)
        #expect(result.idToken?.split(separator: ".").count == 3)
    }

    /// Without a request, at once, and however old the tokens are.
    @Test func cachedAccount() async throws {
        let scene = try AppScene()
        let signedIn = try await scene.account()
        scene.clock.advance(by: 400 * 86400)
        let cached = try #require(scene.app.getNativeAuthUserAccount(correlationId: UUID()))
        #expect(cached.account.username == Fjordshop.mira)
        #expect(cached.account.identifier == signedIn.account.identifier)
        #expect(cached.idToken == signedIn.idToken)
        #expect(scene.server.calls.count == 3)
    }

    @Test func unreadableCacheHoldsNobody() throws {
        let scene = try AppScene()
        scene.storage.save(Data("{".utf8))
        #expect(scene.app.getNativeAuthUserAccount() == nil)
    }

    @Test(arguments: [
        ("Mira@Lofoten.Example", "sub", "mira@lofoten.example"),
        (" mira@lofoten.example ", "sub", "mira@lofoten.example"),
        (nil, "XQ0q3m9", "xq0q3m9"),
    ])
    func username(_ preferred: String?, _ subject: String, _ username: String) async throws {
        let scene = try AppScene()
        let id = Issuer.shared.idToken {
            $0["preferred_username"] = preferred.map { .string($0) }
            $0["sub"] = .string(subject)
        }
        let result = try await scene.account(.ok(Issuer.shared.tokens(id: id)))
        #expect(result.account.username == username)
        #expect(scene.app.getNativeAuthUserAccount()?.account.username == username)
    }

    // MARK: One account

    @Test func nextAccountTakesThePlace() async throws {
        let scene = try AppScene()
        let mira = try await scene.account()
        let nils = try await scene.account(Self.otherTokens)
        #expect(nils.account.username == "nils@lofoten.example")
        #expect(try scene.app.allAccounts().map(\.username) == ["nils@lofoten.example"])
        #expect(scene.app.getNativeAuthUserAccount()?.account.username == "nils@lofoten.example")
        #expect(mira.account.username == Fjordshop.mira)
        let heard = try await scene.hear { mira.getAccessToken(parameters: .init(), delegate: $0) }
        #expect(
            heard.told == .says("No token matching arguments found in the cache, user interaction is required"))
    }

    @Test func sameAccountGetsNewTokens() async throws {
        let scene = try AppScene()
        let first = try await scene.account()
        _ = try await scene.account(.ok(Issuer.shared.tokens(access: "AT2", refresh: "RT2")))
        #expect(try scene.app.allAccounts().count == 1)
        let heard = try await scene.hear { first.getAccessToken(parameters: .init(), delegate: $0) }
        #expect(heard.tokens?.accessToken == "AT2")
    }

    // MARK: Signing out

    @Test func signOut() async throws {
        let scene = try AppScene()
        let result = try await scene.account()
        let token = result.idToken
        result.signOut()
        #expect(scene.app.getNativeAuthUserAccount() == nil)
        #expect(try scene.app.allAccounts().isEmpty)
        #expect(result.account.username == Fjordshop.mira)
        #expect(result.idToken == token)
        #expect(scene.server.calls.count == 3)
        let kept = String(decoding: scene.storage.load() ?? Data(), as: UTF8.self)
        for secret in ["AT1.secret", "RT1.secret", token ?? "?"] { #expect(!kept.contains(secret)) }
        // Once more does nothing.
        result.signOut()
    }

    @Test func signingOutOfTheLastAccountLeavesTheNextOne() async throws {
        let scene = try AppScene()
        let mira = try await scene.account()
        _ = try await scene.account(Self.otherTokens)
        mira.signOut()
        #expect(scene.app.getNativeAuthUserAccount()?.account.username == "nils@lofoten.example")
    }

    @Test func accountsOfAnotherAppStay() async throws {
        let scene = try AppScene()
        let result = try await scene.account()
        let config = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: "another", tenantSubdomain: "fjordshop", challengeTypes: [.OOB])
        let app = try MSALNativeAuthPublicClientApplication(
            config, storage: scene.storage, transport: scene.server, time: scene.clock.source)
        #expect(app.getNativeAuthUserAccount() == nil)
        let id = Issuer.shared.idToken { $0["aud"] = .string("another") }
        let said: [ScriptedTransport.Line] = [
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens(id: id)),
        ]
        _ = try await scene.hear(said) { app.signIn(parameters: scene.signIn(password: "p"), delegate: $0) }
        result.signOut()
        #expect(scene.app.getNativeAuthUserAccount() == nil)
        #expect(app.getNativeAuthUserAccount()?.account.username == Fjordshop.mira)
    }
}
