// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Tenant
import Testing

/// Sign-ins at the end of a sign-up or a reset, without a word.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct AfterFlowConversations {
    private let scene: ServedScene
    private let client: NativeAuthClient
    private let mail = ServedScene.mail

    init() throws {
        scene = try ServedScene()
        client = scene.client
    }

    private func resetDone() async throws -> ResetCompletion {
        try await scene.member()
        let step = try await client.resetPassword(username: mail).code.submit(scene.code())
        return try await step.password.submit(ServedScene.newPassword).completion
    }

    @Test func afterASignUp() async throws {
        let account = try await scene.member().signIn().account
        #expect(account.username == mail)
        #expect(account.claims.string("country") == "Norway")
        #expect(account.claims.strings("amr") == ["pwd"])
    }

    @Test func afterASignUpWithCodes() async throws {
        #expect(try await scene.codeMember().signIn().account.claims.strings("amr") == ["otp"])
    }

    @Test func afterAReset() async throws {
        #expect(try await resetDone().signIn().account.username == mail)
    }

    @Test func scopesAndClaimsOfItsOwn() async throws {
        let claims = ClaimsRequest(accessToken: ["country": .voluntary])
        let account = try await scene.member().signIn(scopes: ServedScene.orders, claims: claims).account
        let token = try #require(Claims(uncheckedToken: try await account.accessToken().value))
        #expect(token.string("scp") == "Orders.Read Orders.Write")
        #expect(token.string("country") == "Norway")
    }

    @Test func scopeThatNobodyKnowsTakesNothing() async throws {
        let done = try await scene.member()
        try await end(by: .invalidScope) { try await done.signIn(scopes: ["api://nowhere/Read"]) }
        _ = try await done.signIn().account
    }

    @Test func scopeThatNobodyConsentedToTakesNothing() async throws {
        let done = try await scene.member()
        try scene.change { $0.consented = [] }
        let error = try await end(by: .consentRequired) { try await done.signIn(scopes: ServedScene.orders) }
        #expect(error.codes == [65001])
        _ = try await done.signIn().account
    }

    @Test func onlyOnce() async throws {
        let done = try await scene.member()
        _ = try await done.signIn().account
        scene.wait(61)
        try await end(by: .refused) { try await done.signIn() }
        _ = try await scene.signIn().account
    }

    @Test func notTooLate() async throws {
        let done = try await scene.member()
        scene.wait(600)
        try await end(by: .flowExpired) { try await done.signIn() }
        _ = try await scene.signIn().account
    }

    @Test func disabledMeanwhile() async throws {
        let done = try await scene.member()
        try scene.changeAccount { $0.isDisabled = true }
        try await end(by: .accountDisabled) { try await done.signIn() }
    }

    @Test func deletedMeanwhile() async throws {
        let done = try await resetDone()
        try scene.deleteAccount()
        try await end(by: .userNotFound) { try await done.signIn() }
    }

    @Test func secondFactorAfterAReset() async throws {
        let done = try await resetDone()
        try scene.demandSecondFactor()
        try scene.addMethod(ServedScene.phone)
        var step = try await done.signIn(scopes: ServedScene.orders)
        step = try await step.factor.challenge(step.factor.methods[0])
        let account = try await step.factorCode.submit(scene.code(ServedScene.phone)).account
        #expect(account.claims.strings("amr").contains("mfa"))
        #expect(try await account.accessToken().scopes.contains("api://sample/Orders.Read"))
    }

    @Test func registrationAfterASignUp() async throws {
        let done = try await scene.member()
        try scene.demandSecondFactor()
        var step = try await done.signIn()
        let sms = try #require(try step.registration.methods.first { $0.channel == "sms" })
        step = try await step.registration.register(sms, contact: ServedScene.phone)
        #expect(try await step.registrationCode.submit(scene.code(ServedScene.phone)).account.username == mail)
    }

    @Test func browserWithoutTheCapability() async throws {
        try scene.demandSecondFactor()
        let client = try scene.client { $0.capabilities = [] }
        var step = try await client.signUp(
            username: mail, password: ServedScene.password, attributes: ["country": "Norway"])
        step = try await step.code.submit(scene.code())
        let error = try await end(by: .browserRequired) { try await step.completion.signIn() }
        #expect(error.message == "Client is missing registration_required capability")
    }

    @Test func cancelledAndSaidAgain() async throws {
        let done = try await scene.member()
        let held = scene.traffic.hold("/token")
        let task = Task { try await done.signIn() }
        await held.arrival()
        task.cancel()
        try await end(by: .cancelled) { try await task.value }
        held.release()
        await held.answer()
        _ = try await done.signIn().account
    }
}
