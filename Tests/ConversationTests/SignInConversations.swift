// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Tenant
import Testing

/// Sign-ins with one factor.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SignInConversations {
    private let scene: ServedScene
    private let client: NativeAuthClient
    private let mail = ServedScene.mail

    init() throws {
        scene = try ServedScene()
        client = scene.client
    }

    // MARK: - Ways in

    @Test func passwordUpFront() async throws {
        try await scene.member()
        let account = try await scene.signIn().account
        #expect(account.username == mail)
        #expect(account.claims.strings("amr") == ["pwd"])
        #expect(try client.account()?.homeAccountID == account.homeAccountID)
    }

    @Test func passwordWhenAsked() async throws {
        try await scene.member()
        let step = try await client.signIn(username: "ADA@Lofoten.example")
        #expect(try await step.password.submit(ServedScene.password).account.username == mail)
    }

    @Test func code() async throws {
        try await scene.codeMember()
        let client = try scene.codeClient()
        let step = try await client.signIn(username: mail)
        #expect(try step.code.delivery.sentTo == "a***a@lo*****.example")
        let account = try await step.code.submit(scene.code()).account
        #expect(account.claims.strings("amr") == ["otp"])
    }

    @Test func codeInPlaceOfAPassword() async throws {
        try await scene.codeMember()
        let step = try await client.signIn(username: mail, password: ServedScene.password)
        _ = try await step.code.submit(scene.code()).account
    }

    @Test func alias() async throws {
        let scene = try ServedScene { $0.aliasSignIn = true }
        try await scene.member()
        try scene.changeAccount { $0.alias = "ada.l" }
        let account = try await scene.client.signIn(username: "Ada.L", password: ServedScene.password).account
        #expect(account.username == mail)
    }

    // MARK: - Proofs that do not hold

    @Test func wrongPasswordUpFrontThenRight() async throws {
        try await scene.member()
        let again = try await retry(after: .invalidCredentials) {
            try await client.signIn(username: mail, password: ServedScene.newPassword)
        }
        _ = try await again.password.submit(ServedScene.password).account
    }

    @Test func wrongPasswordThenRight() async throws {
        try await scene.member()
        let step = try await client.signIn(username: mail)
        let again = try await retry(after: .invalidCredentials) {
            try await step.password.submit(ServedScene.newPassword)
        }
        _ = try await again.password.submit(ServedScene.password).account
    }

    @Test func emptyPasswordIsNotSent() async throws {
        try await scene.member()
        try await end(by: .invalidCredentials) { try await client.signIn(username: mail, password: "") }
        #expect(scene.traffic.count("/initiate") == 0)
        let step = try await client.signIn(username: mail)
        let again = try await retry(after: .invalidCredentials) { try await step.password.submit("") }
        _ = try await again.password.submit(ServedScene.password).account
    }

    @Test func lockedAccountOpensAgain() async throws {
        let scene = try ServedScene { $0.lockThreshold = 3 }
        try await scene.member()
        var step = try await scene.client.signIn(username: mail)
        for number in 1...3 {
            step = try await retry(after: .invalidCredentials) { try await step.password.submit("Wrong-\(number)") }
        }
        step = try await retry(after: .accountLocked) { try await step.password.submit(ServedScene.password) }
        scene.wait(60)
        _ = try await step.password.submit(ServedScene.password).account
    }

    @Test func wrongCodeThenRight() async throws {
        try await scene.codeMember()
        let step = try await scene.codeClient().signIn(username: mail)
        var again = try await retry(after: .invalidCode) { try await step.code.submit(ServedScene.wrong) }
        again = try await retry(after: .invalidCode) { try await again.code.submit("") }
        _ = try await again.code.submit(scene.code()).account
    }

    @Test func resendKillsTheOldCode() async throws {
        try await scene.codeMember()
        let step = try await scene.codeClient().signIn(username: mail)
        let old = try scene.code()
        let second = try await step.code.resend()
        let again = try await retry(after: .invalidCode) { try await second.code.submit(old) }
        _ = try await again.code.submit(scene.code()).account
    }

    @Test func codeOfTheSignUpIsNoCodeForTheSignIn() async throws {
        try await scene.codeMember()
        let old = try scene.code()
        let step = try await scene.codeClient().signIn(username: mail)
        try await retry(after: .invalidCode) { try await step.code.submit(old) }
    }

    @Test func tooManyCodesLeaveTheLastOne() async throws {
        let scene = try ServedScene { $0.codesPerAddress = 2 }
        try await scene.codeMember()
        let step = try await scene.codeClient().signIn(username: mail)
        let again = try await retry(after: .tooManyCodes) { try await step.code.resend() }
        _ = try await again.code.submit(scene.code()).account
    }

    // MARK: - People who cannot come in

    @Test func unknownUser() async throws {
        let error = try await end(by: .userNotFound) { try await client.signIn(username: mail) }
        #expect(error.codes == [50034])
    }

    @Test func userWhoLeavesMeanwhile() async throws {
        try await scene.member()
        let step = try await client.signIn(username: mail)
        try scene.deleteAccount()
        try await end(by: .userNotFound) { try await step.password.submit(ServedScene.password) }
    }

    @Test(arguments: ["", "ada", "ada@"])
    func nameThatIsNone(_ name: String) async throws {
        try await end(by: .invalidUsername) { try await client.signIn(username: name) }
    }

    @Test func disabledAccount() async throws {
        try await scene.member()
        let step = try await client.signIn(username: mail)
        try scene.changeAccount { $0.isDisabled = true }
        try await end(by: .accountDisabled) { try await client.signIn(username: mail) }
        try await end(by: .accountDisabled) { try await step.password.submit(ServedScene.password) }
        try scene.changeAccount { $0.isDisabled = false }
        _ = try await scene.signIn().account
    }

    @Test func disabledAccountWithACode() async throws {
        try await scene.codeMember()
        let step = try await scene.codeClient().signIn(username: mail)
        try scene.changeAccount { $0.isDisabled = true }
        try await end(by: .accountDisabled) { try await step.code.submit(scene.code()) }
    }

    @Test func passwordThatHasToBeChanged() async throws {
        try await scene.member()
        try scene.changeAccount { $0.mustChangePassword = true }
        try await end(by: .passwordChangeRequired) { try await scene.signIn() }
        let reset = try await client.resetPassword(username: mail).code.submit(scene.code())
        _ = try await reset.password.submit(ServedScene.newPassword).completion
        _ = try await client.signIn(username: mail, password: ServedScene.newPassword).account
    }

    @Test func flowExpires() async throws {
        try await scene.member()
        let step = try await client.signIn(username: mail)
        scene.wait(600)
        try await end(by: .flowExpired) { try await step.password.submit(ServedScene.password) }
    }

    @Test func flowExpiresAtTheCode() async throws {
        try await scene.codeMember()
        let step = try await scene.codeClient().signIn(username: mail)
        scene.wait(600)
        try await end(by: .flowExpired) { try await step.code.resend() }
        try await end(by: .flowExpired) { try await step.code.submit(scene.code()) }
    }

    @Test func cancelledAndSaidAgain() async throws {
        try await scene.member()
        let step = try await client.signIn(username: mail)
        let again = try await cancelled(scene.traffic.hold("/token")) {
            try await step.password.submit(ServedScene.password)
        }
        _ = try await again.password.submit(ServedScene.password).account
    }

    // MARK: - Browsers

    @Test func abilitiesThatAreTooFew() async throws {
        try await scene.member()
        try await scene.codeMember(ServedScene.otherMail)
        let codes = try scene.client { $0.challengeTypes = .code }
        try await end(by: .browserRequired) { try await codes.signIn(username: mail) }
        let passwords = try scene.client { $0.challengeTypes = .password }
        try await end(by: .browserRequired) { try await passwords.signIn(username: ServedScene.otherMail) }
    }

    @Test func federatedAccount() async throws {
        try await scene.member()
        try scene.changeAccount { $0.identityProvider = "google.com" }
        try await end(by: .browserRequired) { try await scene.signIn() }
    }

    @Test func appWithoutAFlow() async throws {
        try await scene.member()
        let client = try scene.client(app: scene.app())
        try await end(by: .browserRequired) { try await client.signIn(username: mail) }
    }

    @Test func appThatIsNotAllowed() async throws {
        try await scene.member()
        let step = try await client.signIn(username: mail)
        try scene.change { $0.nativeAuthentication = false }
        try await end(by: .clientRejected) { try await client.signIn(username: mail) }
        try await end(by: .clientRejected) { try await step.password.submit(ServedScene.password) }
    }
}
