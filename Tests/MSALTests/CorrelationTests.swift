// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing

/// The id by which a flow is found in the tenant's log.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct CorrelationTests {
    private func sent(_ scene: AppScene) -> [UUID?] {
        scene.server.calls.map { $0.headers["client-request-id"].flatMap { UUID(uuidString: $0) } }
    }

    @Test func ofTheApp() async throws {
        let scene = try AppScene()
        let end = try await scene.afterSignUp()
        let heard = try await scene.hear([.no("tea_time")]) {
            end.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: $0)
        }
        #expect(sent(scene) == Array(repeating: scene.id, count: 4))
        #expect(heard.error?.correlationId == scene.id)
        #expect(scene.server.calls.allSatisfy { $0.headers["return-client-request-id"] == "true" })
    }

    @Test func newWhereTheAppHasNone() async throws {
        let scene = try AppScene()
        for number in 0...1 {
            let parameters = MSALNativeAuthResetPasswordParameters(username: Fjordshop.mira)
            let heard = try await scene.hear([.no("tea_time")]) {
                scene.app.resetPassword(parameters: parameters, delegate: $0)
            }
            #expect(sent(scene)[number] == heard.error?.correlationId)
        }
        #expect(sent(scene)[0] != sent(scene)[1])
        let local = try await scene.hear { scene.app.signIn(parameters: .init(username: ""), delegate: $0) }
        #expect(!sent(scene).contains(local.error?.correlationId))
    }

    /// A server that goes by another id is followed, from then on.
    @Test func ofTheServer() async throws {
        let scene = try AppScene()
        let (first, second) = (UUID(), UUID())
        func named(_ id: UUID) -> [String: String] { ["client-request-id": id.uuidString] }
        let heard = try await scene.hear([
            .answer(200, Said.token("CT1"), named(first)), .answer(200, Said.codeSent("CT2")),
        ]) { scene.app.signUp(parameters: scene.signUp(), delegate: $0) }
        let code = try #require(heard.state as? SignUpCodeRequiredState)
        let wrong = try await scene.hear([.answer(400, Said.wrongCode, named(second))]) {
            code.submitCode(code: "1", delegate: $0)
        }
        #expect(wrong.error?.correlationId == second)
        let again = try #require(wrong.state as? SignUpCodeRequiredState)
        let local = try await scene.hear { again.submitCode(code: "", delegate: $0) }
        #expect(local.error?.correlationId == second)
        _ = try await scene.hear([.refused(Said.wrongCode)]) { again.submitCode(code: "2", delegate: $0) }
        #expect(sent(scene) == [scene.id, first, first, second])
    }

    @Test func whatIsNoIDIsNotFollowed() async throws {
        let scene = try AppScene()
        let heard = try await scene.hear([
            .answer(200, Said.token("CT1"), ["client-request-id": "none"]), .no("tea_time"),
        ]) { scene.app.signUp(parameters: scene.signUp(), delegate: $0) }
        #expect(sent(scene) == [scene.id, scene.id])
        #expect(heard.error?.correlationId == scene.id)
    }

    @Test func ofARefresh() async throws {
        let scene = try AppScene()
        let account = try await scene.account()
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.correlationId = UUID()
        parameters.forceRefresh = true
        let heard = try await scene.hear([.no("tea_time")]) {
            account.getAccessToken(parameters: parameters, delegate: $0)
        }
        #expect(sent(scene).last == parameters.correlationId)
        #expect(heard.error?.correlationId == parameters.correlationId)
    }
}
