// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing
import Wire

/// A refresh that fails: what it means, what it leaves, and how long it is believed.
struct RefusedRefreshTests {
    private let scene: SessionScene
    private let a = ["api://a/Read"]

    init() throws { scene = try SessionScene() }

    private static let ended =
        #"{"error":"invalid_grant","error_description":"AADSTS700082: expired.","error_codes":[700082],"trace_id":"t","correlation_id":"c","timestamp":"2026-03-14 10:05:00Z","error_uri":"https://e.example"}"#

    // MARK: - Meaning

    @Test(arguments: [
        (ended, AuthError.Reason.signInRequired),
        (#"{"error":"invalid_grant","error_codes":[50076],"suberror":"basic_action"}"#, .multiFactorRequired),
        (#"{"error":"invalid_grant","error_codes":[9,50076]}"#, .multiFactorRequired),
        (#"{"error":"interaction_required","error_codes":[50076]}"#, .multiFactorRequired),
        (#"{"error":"invalid_grant","error_codes":[9,50142]}"#, .passwordChangeRequired),
        (#"{"error":"invalid_grant","error_codes":[50057]}"#, .accountDisabled),
        (#"{"error":"invalid_grant","error_codes":[50053]}"#, .accountLocked),
        (#"{"error":"invalid_grant","error_codes":[65001]}"#, .consentRequired),
        (#"{"error":"invalid_grant","error_codes":[50126]}"#, .signInRequired),
        (#"{"error":"invalid_grant","error_codes":[50034]}"#, .signInRequired),
        (#"{"error":"invalid_scope","error_codes":[70011]}"#, .invalidScope),
        (#"{"error":"invalid_request","error_codes":[90100]}"#, .refused),
    ])
    func means(_ said: String, _ reason: AuthError.Reason) async throws {
        let account = try await scene.signIn()
        scene.server.add(.refused(said))
        let error = await authFailure { try await account.accessToken(scopes: a) }
        #expect(error?.reason == reason)
        #expect(error?.wasThrottled == false)
    }

    // MARK: - What it leaves

    @Test func badTokenIsDropped() async throws {
        let account = try await scene.signIn()
        scene.server.add(.refused(#"{"error":"invalid_grant","suberror":"bad_token","error_codes":[700003]}"#))
        let error = await authFailure { try await account.accessToken(scopes: a) }
        #expect(error?.reason == .signInRequired)
        #expect(!scene.kept.contains("RT1.secret"))
        #expect(try await account.accessToken().value == "AT1.secret")
        #expect(await authFailure { try await account.accessToken(forceRefresh: true) }?.reason == .signInRequired)
        #expect(scene.server.calls.count == 4)
    }

    @Test func deletedAccountIsForgotten() async throws {
        let account = try await scene.signIn()
        scene.server.add(.refused(#"{"error":"invalid_grant","suberror":"user_account_deleted"}"#))
        #expect(await authFailure { try await account.accessToken(scopes: a) }?.reason == .signInRequired)
        #expect(try scene.client.account() == nil)
        for secret in ["AT1.secret", "RT1.secret", account.idToken] { #expect(!scene.kept.contains(secret)) }
    }

    /// The suberror counts only with the error that it belongs to.
    @Test(arguments: ["bad_token", "user_account_deleted"])
    func otherErrorsDropNothing(_ suberror: String) async throws {
        let account = try await scene.signIn()
        scene.server.add(.refused(#"{"error":"invalid_request","suberror":"\#(suberror)"}"#))
        #expect(await authFailure { try await account.accessToken(scopes: a) } != nil)
        #expect(scene.kept.contains("RT1.secret"))
        #expect(try scene.client.account() != nil)
    }

    // MARK: - Rest

    /// The same request again is answered with the same words.
    @Test func sameRequestIsNotMadeAgain() async throws {
        let account = try await scene.signIn()
        scene.server.add(.refused(Self.ended))
        let first = try #require(await authFailure { try await account.accessToken(scopes: a) })
        scene.clock.advance(by: 119)
        for scopes in [a, ["API://A/read"], a + a] {
            var again = try #require(await authFailure { try await account.accessToken(scopes: scopes) })
            #expect(again.wasThrottled)
            again.wasThrottled = false
            #expect(again == first)
        }
        // Another process reads the same.
        let other = try Fjordshop.client(scene.server, storage: scene.storage, clock: scene.clock)
        #expect(await authFailure { try await other.accessToken(scopes: a) }?.wasThrottled == true)
        #expect(scene.server.calls.count == 4)
        scene.clock.advance(by: 1)
        scene.server.add(.ok(scene.tokens("AT2", scope: "api://a/Read openid")))
        #expect(try await account.accessToken(scopes: a).value == "AT2")
    }

    @Test func anotherRequestIsMade() async throws {
        let account = try await scene.signIn()
        let claims = ClaimsRequest(idToken: ["email": .voluntary])
        scene.server.add(.refused(Self.ended), .refused(Self.ended), .refused(Self.ended), .refused(Self.ended))
        for _ in 0..<2 {
            #expect(await authFailure { try await account.accessToken(scopes: a) } != nil)
            #expect(await authFailure { try await account.accessToken(scopes: ["api://b/Read"]) } != nil)
            #expect(await authFailure { try await account.accessToken(scopes: a, claims: claims) } != nil)
        }
        #expect(scene.server.calls.count == 6)
        // Whoever forces it, gets it.
        let forced = await authFailure { try await account.accessToken(scopes: a, forceRefresh: true) }
        #expect(forced?.wasThrottled == false)
        #expect(scene.server.isOver)
    }

    @Test(arguments: [
        (ScriptedTransport.Line.answer(429, "", ["retry-after": "7"]), 7), (.answer(429, ""), 60),
        (.answer(429, "", ["retry-after": "999999"]), 3600), (.answer(429, "", ["retry-after": "0"]), 0),
        (.answer(429, "", ["retry-after": "-5"]), 0), (.answer(429, "", ["retry-after": "soon"]), 60),
        (.answer(503, ""), 60), (.answer(503, "", ["retry-after": "9"]), 9),
    ])
    func serverThatHasNoTimeIsLeftAlone(_ said: ScriptedTransport.Line, _ seconds: TimeInterval) async throws {
        let account = try await scene.signIn()
        scene.server.add(said)
        if case .answer(503, _, _) = said { scene.server.add(said) }
        let first = await authFailure { try await account.accessToken(scopes: a) }
        #expect(scene.server.isOver)
        if seconds > 0 {
            scene.clock.advance(by: seconds - 1)
            var again = try #require(await authFailure { try await account.accessToken(scopes: a) })
            #expect(again.wasThrottled)
            again.wasThrottled = false
            #expect(again == first)
            scene.clock.advance(by: 1)
        }
        scene.server.add(.ok(scene.tokens("AT2", scope: "api://a/Read openid")))
        #expect(try await account.accessToken(scopes: a).value == "AT2")
    }

    @Test func declinedScopesAreAskedForLater() async throws {
        let account = try await scene.signIn()
        scene.server.add(.ok(scene.tokens("AT2")))
        let first = await authFailure { try await account.accessToken(scopes: a) }
        var again = try #require(await authFailure { try await account.accessToken(scopes: a) })
        #expect(again.wasThrottled)
        again.wasThrottled = false
        #expect(again == first)
        #expect(scene.server.calls.count == 4)
    }

    @Test func browserIsDemandedOnce() async throws {
        let account = try await scene.signIn()
        scene.server.add(.ok(Said.redirect))
        for _ in 0..<2 {
            let error = await authFailure { try await account.accessToken(scopes: a) }
            #expect(error?.reason == .browserRequired)
            #expect(error?.message == "Client is missing mfa_required capability")
        }
        #expect(scene.server.calls.count == 4)
    }

    /// What did not come from the tenant says nothing about the next attempt.
    @Test(arguments: [
        [ScriptedTransport.Line.failure(.noConnection), .failure(.noConnection)],
        [.answer(404, #"{"error":"invalid_grant"}"#)], [.ok("{}")],
    ])
    func otherFailuresAreNotKept(_ said: [ScriptedTransport.Line]) async throws {
        let account = try await scene.signIn()
        let before = scene.storage.load()
        for line in said { scene.server.add(line) }
        #expect(await authFailure { try await account.accessToken(scopes: a) } != nil)
        #expect(scene.storage.load() == before)
        scene.server.add(.ok(scene.tokens("AT2", scope: "api://a/Read openid")))
        #expect(try await account.accessToken(scopes: a).value == "AT2")
    }

    @Test func successEndsTheRest() async throws {
        let account = try await scene.signIn()
        scene.server.add(.refused(Self.ended), .ok(scene.tokens("AT2", refresh: nil)))
        _ = await authFailure { try await account.accessToken(scopes: a) }
        _ = try await account.accessToken(forceRefresh: true)
        #expect(scene.own?["failures"] == nil)
        scene.server.add(.ok(scene.tokens("AT3", scope: "api://a/Read openid")))
        #expect(try await account.accessToken(scopes: a).value == "AT3")
    }

    @Test func signInAndSignOutEndTheRest() async throws {
        var account = try await scene.signIn()
        scene.server.add(.refused(Self.ended))
        _ = await authFailure { try await account.accessToken(scopes: a) }
        #expect(scene.own?["failures"] != nil)
        // The same refresh token once more, so that nothing but the sign-in makes the difference.
        account = try await scene.signIn()
        #expect(scene.own?["failures"] == nil)
        scene.server.add(.refused(Self.ended))
        #expect(await authFailure { try await account.accessToken(scopes: a) }?.wasThrottled == false)
        try await account.signOut()
        #expect(scene.own?["failures"] == nil)
    }

    @Test("T78: another refresh token is another request") func anotherRefreshTokenIsAnotherRequest() async throws {
        let account = try await scene.signIn()
        scene.server.add(.refused(Self.ended))
        _ = await authFailure { try await account.accessToken(scopes: a) }
        // As another program of the family leaves it.
        scene.storage.save(Data(scene.kept.replacing("RT1.secret", with: "RT7").utf8))
        scene.server.add(.ok(scene.tokens("AT2", scope: "api://a/Read openid")))
        #expect(try await account.accessToken(scopes: a).value == "AT2")
        #expect(scene.server.form(4)["refresh_token"] == "RT7")
    }

    /// A refusal is a verdict, the first time and when it is kept.
    @Test func keptRefusalIsARefusal() async throws {
        let account = try await scene.signIn()
        scene.clock.advance(by: 4523 - 200)
        scene.server.add(.refused(Self.ended))
        for _ in 1...3 {
            #expect(await authFailure { try await account.accessToken() }?.reason == .signInRequired)
            scene.clock.advance(by: 30)
        }
        #expect(scene.server.calls.count == 4)
    }

    /// Clocks may be set back, and files may be edited.
    @Test func oddEntriesAreNotBelieved() async throws {
        let account = try await scene.signIn()
        scene.server.add(.refused(Self.ended), .refused(Self.ended), .refused(Self.ended))
        _ = await authFailure { try await account.accessToken(scopes: a) }
        scene.clock.advance(by: -1)
        #expect(await authFailure { try await account.accessToken(scopes: a) }?.wasThrottled == false)
        scene.storage.save(Data(scene.kept.replacing("\"until\"", with: "\"left_out\"").utf8))
        #expect(await authFailure { try await account.accessToken(scopes: a) }?.wasThrottled == false)
        #expect(scene.server.isOver)
    }

    // MARK: - Secrecy

    @Test func ownPartHoldsNoSecret() async throws {
        let account = try await scene.signIn()
        scene.server.add(
            .refused(
                #"{"error":"invalid_grant","error_description":"AADSTS1: the token RT1.secret is bad.","error_codes":[1]}"#
            ))
        _ = await authFailure { try await account.accessToken(scopes: a) }
        let text = "\(try #require(scene.own))"
        #expect(text.contains("AADSTS1: the token"))
        for secret in ["RT1.secret", "AT1.secret", account.idToken, "api://a/Read"] { #expect(!text.contains(secret)) }
    }

    /// Old entries go when a new one comes.
    @Test func entriesDoNotPileUp() async throws {
        let account = try await scene.signIn()
        for number in 0..<5 {
            scene.server.add(.refused(Self.ended))
            _ = await authFailure { try await account.accessToken(scopes: ["api://\(number)/Read"]) }
            scene.clock.advance(by: 121)
        }
        #expect(scene.own?["failures"]?.object?.count == 1)
    }
}
