// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import Tenant
import Testing

/// Resets of forgotten passwords.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ResetConversations {
    private let mail = ServedScene.mail

    private func scene(_ settings: (inout Settings) -> Void = { _ in }) async throws -> ServedScene {
        let scene = try ServedScene(settings)
        try await scene.member()
        return scene
    }

    /// A reset whose code was right.
    private func verified(_ scene: ServedScene, _ client: NativeAuthClient? = nil) async throws -> ResetStep {
        try await (client ?? scene.client).resetPassword(username: mail).code.submit(scene.code())
    }

    // MARK: - To the new password

    @Test func newPasswordReplacesTheOld() async throws {
        let scene = try await scene()
        var step = try await scene.client.resetPassword(username: mail)
        #expect(try step.code.delivery.sentTo == "a***a@lo*****.example")
        step = try await step.code.submit(scene.code())
        #expect(try step.password.timeLimit == .seconds(600))
        step = try await step.password.submit(ServedScene.newPassword)
        #expect(try step.completion.username == mail)
        #expect(try step.completion.canSignIn)
        try await retry(after: .invalidCredentials) { try await scene.signIn() }
        _ = try await scene.client.signIn(username: mail, password: ServedScene.newPassword).account
    }

    @Test(arguments: [0, 1, 5])
    func tenantTakesItsTime(_ polls: Int) async throws {
        let scene = try await scene { $0.pollsInProgress = polls }
        let before = scene.now
        _ = try await verified(scene).password.submit(ServedScene.newPassword).completion
        #expect(scene.traffic.count("/poll_completion") == polls + 1)
        // Two seconds between two looks; one more for the code.
        #expect(scene.now.timeIntervalSince(before) == Double(polls * 2 + 1))
    }

    @Test func tenantTakesTooLong() async throws {
        let scene = try await scene { $0.pollsInProgress = 6 }
        let step = try await verified(scene)
        try await end(by: .resetFailed) { try await step.password.submit(ServedScene.newPassword) }
        #expect(scene.traffic.count("/poll_completion") == 6)
    }

    @Test func codeGoesToTheSecondAddress() async throws {
        let scene = try await scene()
        try scene.addMethod(ServedScene.otherMail)
        let step = try await scene.client.resetPassword(username: mail)
        #expect(try step.code.delivery.sentTo == "a***a@be****.example")
        _ = try await step.code.submit(scene.code(ServedScene.otherMail)).password
    }

    @Test func lockedAccountIsOpenAgain() async throws {
        let scene = try await scene { $0.lockThreshold = 1 }
        var step = try await scene.client.signIn(username: mail)
        step = try await retry(after: .invalidCredentials) { try await step.password.submit("Wrong-1") }
        step = try await retry(after: .accountLocked) { try await step.password.submit(ServedScene.password) }
        _ = try await verified(scene).password.submit(ServedScene.newPassword).completion
        _ = try await step.password.submit(ServedScene.newPassword).account
    }

    @Test func otherSessionsEnd() async throws {
        let scene = try await scene()
        let account = try await scene.signIn().account
        _ = try await account.accessToken(forceRefresh: true)
        _ = try await verified(scene, scene.client()).password.submit(ServedScene.newPassword).completion
        try await refusal(.signInRequired) { try await account.accessToken(forceRefresh: true) }
    }

    // MARK: - What can be mended

    @Test func wrongCodeThenRight() async throws {
        let scene = try await scene()
        var step = try await scene.client.resetPassword(username: mail)
        step = try await retry(after: .invalidCode) { try await step.code.submit(ServedScene.wrong) }
        step = try await retry(after: .invalidCode) { try await step.code.submit("") }
        _ = try await step.code.submit(scene.code()).password
    }

    @Test func resendKillsTheOldCode() async throws {
        let scene = try await scene()
        var step = try await scene.client.resetPassword(username: mail)
        let old = try scene.code()
        step = try await step.code.resend()
        step = try await retry(after: .invalidCode) { try await step.code.submit(old) }
        _ = try await step.code.submit(scene.code()).password
    }

    @Test func tooManyCodesLeaveTheLastOne() async throws {
        let scene = try await scene { $0.codesPerAddress = 2 }
        var step = try await scene.client.resetPassword(username: mail)
        step = try await retry(after: .tooManyCodes) { try await step.code.resend() }
        _ = try await step.code.submit(scene.code()).password
    }

    @Test(arguments: SignUpConversations.badPasswords + [(ServedScene.password, .recentlyUsed)])
    func badPasswordThenGood(_ password: String, _ problem: AuthError.PasswordProblem) async throws {
        let scene = try await scene()
        let step = try await verified(scene)
        let again = try await retry(after: .invalidPassword(problem)) { try await step.password.submit(password) }
        _ = try await again.password.submit(ServedScene.newPassword).completion
    }

    @Test(arguments: ["/submit", "/poll_completion"])
    func cancelledAndSaidAgain(_ path: String) async throws {
        let scene = try await scene()
        let step = try await verified(scene)
        let again = try await cancelled(scene.traffic.hold(path)) {
            try await step.password.submit(ServedScene.newPassword)
        }
        _ = try await again.password.submit(ServedScene.newPassword).completion.signIn().account
    }

    @Test func cancelledBetweenTwoLooks() async throws {
        let scene = try await scene()
        let time = TimeSource(
            now: { scene.now },
            sleep: { _ in if scene.traffic.count("/poll_completion") == 1 { throw CancellationError() } })
        let step = try await verified(scene, scene.client(time: time))
        let again = try await retry(after: .cancelled) { try await step.password.submit(ServedScene.newPassword) }
        _ = try await again.password.submit("Polar-Night-49").completion.signIn().account
        _ = try await scene.client.signIn(username: mail, password: "Polar-Night-49").account
    }

    // MARK: - Ends

    @Test func unknownUser() async throws {
        let scene = try ServedScene()
        try await end(by: .userNotFound) { try await scene.client.resetPassword(username: mail) }
    }

    @Test(arguments: ["", "ada", "ada@"])
    func nameThatIsNone(_ name: String) async throws {
        let scene = try ServedScene()
        try await end(by: .invalidUsername) { try await scene.client.resetPassword(username: name) }
    }

    @Test func userWithoutAPassword() async throws {
        let scene = try ServedScene()
        try await scene.codeMember()
        let error = try await end(by: .userHasNoPassword) { try await scene.client.resetPassword(username: mail) }
        #expect(error.codes == [500_222])
    }

    @Test func tenantWithoutResets() async throws {
        let scene = try await scene { $0.passwordReset = false }
        try await end(by: .userHasNoPassword) { try await scene.client.resetPassword(username: mail) }
    }

    @Test func federatedAccount() async throws {
        let scene = try await scene()
        try scene.changeAccount { $0.identityProvider = "google.com" }
        try await end(by: .browserRequired) { try await scene.client.resetPassword(username: mail) }
    }

    @Test func abilitiesThatAreTooFew() async throws {
        let scene = try await scene()
        let client = try scene.client { $0.challengeTypes = .password }
        try await end(by: .browserRequired) { try await client.resetPassword(username: mail) }
    }

    @Test func appWithoutAFlow() async throws {
        let scene = try await scene()
        try scene.change { $0.userFlow = nil }
        try await end(by: .browserRequired) { try await scene.client.resetPassword(username: mail) }
    }

    @Test func flowExpiresAtTheCode() async throws {
        let scene = try await scene()
        let step = try await scene.client.resetPassword(username: mail)
        scene.wait(600)
        try await end(by: .flowExpired) { try await step.code.resend() }
        try await end(by: .flowExpired) { try await step.code.submit(scene.code()) }
    }

    @Test func flowExpiresAtThePassword() async throws {
        let scene = try await scene()
        let step = try await verified(scene)
        scene.wait(600)
        try await end(by: .flowExpired) { try await step.password.submit(ServedScene.newPassword) }
        _ = try await scene.signIn().account
    }

    @Test func disabledAccount() async throws {
        let scene = try await scene()
        let step = try await scene.client.resetPassword(username: mail)
        let verified = try await step.code.submit(scene.code())
        try scene.changeAccount { $0.isDisabled = true }
        try await end(by: .accountDisabled) { try await scene.client.resetPassword(username: mail) }
        try await end(by: .accountDisabled) { try await verified.password.submit(ServedScene.newPassword) }
    }

    @Test func disabledBetweenTwoLooks() async throws {
        let scene = try await scene()
        let time = TimeSource(now: { scene.now }, sleep: { _ in try scene.changeAccount { $0.isDisabled = true } })
        let step = try await verified(scene, scene.client(time: time))
        let again = try await retry(after: .resetFailed) { try await step.password.submit(ServedScene.newPassword) }
        try await end(by: .accountDisabled) { try await again.password.submit("Polar-Night-49") }
    }

    @Test func failureOfTheTenantMayPass() async throws {
        let scene = try await scene()
        let time = TimeSource(
            now: { scene.now },
            sleep: { _ in
                let isFirst = scene.traffic.count("/submit") == 1
                try scene.changeAccount { $0.isDisabled = isFirst }
            })
        let step = try await verified(scene, scene.client(time: time))
        let again = try await retry(after: .resetFailed) { try await step.password.submit(ServedScene.newPassword) }
        try scene.changeAccount { $0.isDisabled = false }
        _ = try await again.password.submit("Polar-Night-49").completion.signIn().account
    }
}
