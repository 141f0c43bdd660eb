// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing
import Wire

/// Sign-out at the tenant (RFC 7009): after the tokens here are gone, and only where the tenant says where.
struct RevocationTests {
    private static let place = "https://fjordshop.ciamlogin.com/\(Fjordshop.tenantID)/oauth2/v2.0/revoke"

    private let scene: SessionScene

    init() throws { scene = try SessionScene() }

    private func publish(_ place: String) {
        scene.server.publish(
            Issuer.description(more: #","revocation_endpoint":"\#(place)""#), at: "/.well-known/openid-configuration")
    }

    @Test func refreshTokenIsRevoked() async throws {
        publish(Self.place)
        let account = try await scene.signIn()
        let documents = scene.server.documents.count
        scene.server.add(.answer(200, ""))
        #expect(try await account.signOutEverywhere() == .revoked)
        let call = try #require(scene.server.calls.last)
        #expect(call.url == Self.place)
        #expect(
            scene.server.form(scene.server.calls.count - 1) == [
                "client_id": Fjordshop.clientID, "token": "RT1.secret", "token_type_hint": "refresh_token",
            ])
        #expect(try scene.client.account() == nil)
        #expect(scene.server.documents.count == documents, "what is remembered suffices")
    }

    @Test func withoutAPlaceNothingIsSent() async throws {
        let account = try await scene.signIn()
        let calls = scene.server.calls.count
        #expect(try await account.signOutEverywhere() == .notOffered)
        #expect(scene.server.calls.count == calls)
        #expect(!scene.kept.contains("RT1.secret"))
    }

    /// A refresh token goes to the tenant, and to nobody else that a description may name.
    @Test(arguments: ["https://collector.example/revoke", "http://fjordshop.ciamlogin.com/t/revoke", "nonsense"])
    func placeOfSomebodyElseIsNone(_ place: String) async throws {
        publish(place)
        let account = try await scene.signIn()
        let calls = scene.server.calls.count
        #expect(try await account.signOutEverywhere() == .notOffered)
        #expect(scene.server.calls.count == calls)
    }

    @Test(
        "Rule 89: tokens are gone whatever the tenant says to the revocation",
        arguments: [
            ScriptedTransport.Line.failure(.noConnection), .answer(503, ""),
            .answer(400, #"{"error":"invalid_request"}"#),
        ])
    func tokensAreGoneWhateverTheTenantSays(_ said: ScriptedTransport.Line) async throws {
        publish(Self.place)
        let account = try await scene.signIn()
        scene.server.add(said, said)
        let revocation = try await account.signOutEverywhere()
        guard case .failed = revocation else {
            Issue.record("\(revocation)")
            return
        }
        #expect(try scene.client.account() == nil)
        #expect(!scene.kept.contains("RT1.secret"))
    }

    @Test func withoutARefreshTokenThereIsNothingToRevoke() async throws {
        publish(Self.place)
        let account = try await scene.signIn(tokens: scene.tokens("AT1", refresh: nil))
        #expect(try await account.signOutEverywhere() == .nothingToRevoke)
    }
}
