// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Tenant
import Testing
import Wire

/// Sign-ins that want a strong method to be registered.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct RegistrationConversations {
    private let mail = ServedScene.mail
    private let otherMail = ServedScene.otherMail
    private let phone = ServedScene.phone

    /// A member without a method, of an app that wants one.
    private func scene(_ settings: (inout Settings) -> Void = { _ in }) async throws -> ServedScene {
        let scene = try ServedScene(settings)
        try await scene.member()
        try scene.demandSecondFactor()
        return scene
    }

    private func register(_ channel: String, _ contact: String, _ step: SignInStep) async throws -> SignInStep {
        let choice = try step.registration
        let method = try #require(choice.methods.first { $0.channel == channel })
        return try await choice.register(method, contact: contact)
    }

    // MARK: - Ways in

    @Test func byTextMessage() async throws {
        let scene = try await scene()
        var step = try await scene.signIn()
        #expect(try step.registration.methods.map(\.channel) == ["email", "sms"])
        #expect(try step.registration.methods.map(\.hint) == [mail, nil])
        step = try await register("sms", "+47 900 00 007", step)
        #expect(try step.registrationCode.delivery.sentTo == phone)
        let account = try await step.registrationCode.submit(scene.code(phone)).account
        #expect(Set(account.claims.strings("amr")) == ["pwd", "sms", "mfa"])
        // From now on it is a second factor.
        #expect(try await scene.signIn().factor.methods.map(\.channel) == ["sms"])
    }

    @Test func byANewMail() async throws {
        let scene = try await scene()
        let step = try await register(
            "email", otherMail, scene.client.signIn(username: mail).password.submit(ServedScene.password))
        #expect(try step.registrationCode.delivery.sentTo == otherMail)
        let account = try await step.registrationCode.submit(scene.code(otherMail)).account
        #expect(Set(account.claims.strings("amr")) == ["pwd", "otp", "mfa"])
    }

    @Test func ownMailIsProvenAfterASignUp() async throws {
        let scene = try ServedScene()
        try scene.demandSecondFactor()
        let step = try await scene.member().signIn(scopes: ServedScene.orders)
        let account = try await register("email", mail, step).account
        #expect(try scene.mails() == 1)
        #expect(account.claims.strings("amr").contains("mfa"))
        #expect(try await account.accessToken().scopes.contains("api://sample/Orders.Write"))
    }

    @Test func ownMailIsProvenAfterAReset() async throws {
        let scene = try await scene()
        let reset = try await scene.client.resetPassword(username: mail).code.submit(scene.code())
        let step = try await reset.password.submit(ServedScene.newPassword).completion.signIn()
        let mails = try scene.mails()
        _ = try await register("email", mail, step).account
        #expect(try scene.mails() == mails)
    }

    @Test func ownMailIsNotProvenByAPassword() async throws {
        let scene = try await scene()
        let step = try await register("email", mail, scene.signIn())
        _ = try await step.registrationCode.submit(scene.code()).account
    }

    @Test func afterACode() async throws {
        let scene = try ServedScene()
        try await scene.codeMember()
        try scene.demandSecondFactor(MultiFactorPolicy(afterCode: true), of: AppRegistration.codeSampleID)
        var step = try await scene.codeClient().signIn(username: mail).code.submit(scene.code())
        #expect(try step.registration.methods.map(\.channel) == ["sms"])
        step = try await register("sms", phone, step)
        let account = try await step.registrationCode.submit(scene.code(phone)).account
        #expect(Set(account.claims.strings("amr")) == ["otp", "sms", "mfa"])
    }

    @Test func scopesAndClaimsAreCarriedThrough() async throws {
        let scene = try await scene()
        let claims = ClaimsRequest(accessToken: ["country": .essential])
        let step = try await register("sms", phone, scene.signIn(ServedScene.orders, claims: claims))
        let account = try await step.registrationCode.submit(scene.code(phone)).account
        #expect(account.scopes == ServedScene.orders)
        let token = try #require(Claims(uncheckedToken: try await account.accessToken().value))
        #expect(token.string("aud") == Resource.sample.id)
        #expect(token.string("scp") == "Orders.Read Orders.Write")
        #expect(token.string("country") == "Norway")
    }

    // MARK: - Contacts

    @Test(arguments: ["not-a-phone", "+47", "90000007", "", "ada@lofoten.example"])
    func contactThatIsNoneThenOneThatIs(_ contact: String) async throws {
        let scene = try await scene()
        var step = try await scene.signIn()
        step = try await retry(after: .invalidContact) { try await register("sms", contact, step) }
        step = try await register("sms", phone, step)
        _ = try await step.registrationCode.submit(scene.code(phone)).account
    }

    @Test func blockedContactThenAnother() async throws {
        let scene = try await scene { $0.blockedContacts = ["*@bergen.example"] }
        var step = try await scene.signIn()
        step = try await retry(after: .methodBlocked) { try await register("email", otherMail, step) }
        step = try await register("sms", phone, step)
        _ = try await step.registrationCode.submit(scene.code(phone)).account
    }

    @Test func methodThatIsSwitchedOffMeanwhile() async throws {
        let scene = try await scene()
        var step = try await scene.signIn()
        try scene.demandSecondFactor(MultiFactorPolicy(channels: [.email]))
        step = try await retry(after: .methodBlocked) { try await register("sms", phone, step) }
        step = try await register("email", otherMail, step)
        _ = try await step.registrationCode.submit(scene.code(otherMail)).account
    }

    @Test func changeOfContactKillsTheFirstCode() async throws {
        let scene = try await scene()
        var step = try await register("sms", phone, scene.signIn())
        let old = try scene.code(phone)
        let code = try step.registrationCode
        let email = try #require(code.methods.first { $0.channel == "email" })
        step = try await retry(after: .invalidContact) { try await code.register(email, contact: "ada@") }
        step = try await step.registrationCode.register(email, contact: otherMail)
        step = try await retry(after: .invalidCode) { try await step.registrationCode.submit(old) }
        _ = try await step.registrationCode.submit(scene.code(otherMail)).account
        #expect(try scene.methods() == [Contact(otherMail)])
    }

    // MARK: - Codes

    @Test func wrongCodeThenRight() async throws {
        let scene = try await scene()
        var step = try await register("sms", phone, scene.signIn())
        step = try await retry(after: .invalidCode) { try await step.registrationCode.submit(ServedScene.wrong) }
        step = try await retry(after: .invalidCode) { try await step.registrationCode.submit("") }
        _ = try await step.registrationCode.submit(scene.code(phone)).account
    }

    @Test func resendKillsTheOldCode() async throws {
        let scene = try await scene()
        var step = try await register("sms", phone, scene.signIn())
        let old = try scene.code(phone)
        step = try await step.registrationCode.resend()
        step = try await retry(after: .invalidCode) { try await step.registrationCode.submit(old) }
        _ = try await step.registrationCode.submit(scene.code(phone)).account
    }

    @Test func tooManyCodesLeaveTheLastOne() async throws {
        let scene = try await scene { $0.codesPerAddress = 1 }
        var step = try await register("sms", phone, scene.signIn())
        step = try await retry(after: .tooManyCodes) { try await step.registrationCode.resend() }
        _ = try await step.registrationCode.submit(scene.code(phone)).account
    }

    // MARK: - Ends

    @Test(arguments: [Capabilities.multiFactor, []])
    func browserWithoutTheCapability(_ capabilities: Capabilities) async throws {
        let scene = try await scene()
        let client = try scene.client { $0.capabilities = capabilities }
        let step = try await client.signIn(username: mail)
        let error = try await end(by: .browserRequired) { try await step.password.submit(ServedScene.password) }
        #expect(error.message == "Client is missing registration_required capability")
    }

    @Test func flowExpires() async throws {
        let scene = try await scene()
        let choice = try await scene.signIn()
        let sent = try await register("sms", phone, scene.signIn())
        scene.wait(600)
        try await end(by: .flowExpired) { try await register("sms", phone, choice) }
        try await end(by: .flowExpired) { try await sent.registrationCode.submit(scene.code(phone)) }
    }

    @Test func disabledMeanwhile() async throws {
        let scene = try await scene()
        let step = try await register("sms", phone, scene.signIn())
        try scene.changeAccount { $0.isDisabled = true }
        try await end(by: .accountDisabled) { try await step.registrationCode.submit(scene.code(phone)) }
    }

    @Test(arguments: ["/register/v1.0/continue", "/token"])
    func cancelledAndSaidAgain(_ path: String) async throws {
        let scene = try await scene()
        let step = try await register("sms", phone, scene.signIn())
        let code = try scene.code(phone)
        let again = try await cancelled(scene.traffic.hold(path)) { try await step.registrationCode.submit(code) }
        _ = try await again.registrationCode.submit(code).account
    }

    @Test(arguments: ["/register/v1.0/challenge", "/register/v1.0/continue", "/token"])
    func cancelledWhileTheProvenMailIsRegistered(_ path: String) async throws {
        let scene = try ServedScene()
        try scene.demandSecondFactor()
        let step = try await scene.member().signIn()
        let again = try await cancelled(scene.traffic.hold(path)) { try await register("email", mail, step) }
        _ = try await register("email", mail, again).account
    }

    @Test func cancelledOnTheWayToTheMethods() async throws {
        let scene = try await scene()
        let step = try await scene.client.signIn(username: mail)
        let again = try await cancelled(scene.traffic.hold("/register/v1.0/introspect")) {
            try await step.password.submit(ServedScene.password)
        }
        _ = try await again.password.submit(ServedScene.password).registration
    }
}
