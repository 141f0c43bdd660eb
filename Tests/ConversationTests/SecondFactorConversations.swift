// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Tenant
import Testing
import Wire

/// Sign-ins that want a second factor.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SecondFactorConversations {
    private let mail = ServedScene.mail
    private let otherMail = ServedScene.otherMail
    private let phone = ServedScene.phone

    /// A member with these methods, of an app that wants more than a password.
    private func scene(
        _ contacts: [String], _ settings: (inout Settings) -> Void = { _ in }
    ) async throws -> ServedScene {
        let scene = try ServedScene(settings)
        try await scene.member()
        for contact in contacts { try scene.addMethod(contact) }
        try scene.demandSecondFactor()
        return scene
    }

    private func method(_ channel: String, of methods: [AuthenticationMethod]) throws -> AuthenticationMethod {
        try #require(methods.first { $0.channel == channel })
    }

    // MARK: - Ways in

    @Test func byMail() async throws {
        let scene = try await scene([otherMail])
        var step = try await scene.signIn()
        #expect(try step.factor.methods.map(\.hint) == ["a***a@be****.example"])
        step = try await step.factor.challenge(step.factor.methods[0])
        #expect(try step.factorCode.delivery.sentTo == "a***a@be****.example")
        let account = try await step.factorCode.submit(scene.code(otherMail)).account
        #expect(Set(account.claims.strings("amr")) == ["pwd", "otp", "mfa"])
    }

    @Test func byTextMessage() async throws {
        let scene = try await scene([phone])
        var step = try await scene.client.signIn(username: mail).password.submit(ServedScene.password)
        #expect(try step.factor.methods.map(\.hint) == ["+47*******7"])
        step = try await step.factor.challenge(step.factor.methods[0])
        #expect(try step.factorCode.delivery.channel == "sms")
        let account = try await step.factorCode.submit(scene.code(phone)).account
        #expect(Set(account.claims.strings("amr")) == ["pwd", "sms", "mfa"])
    }

    @Test func afterACode() async throws {
        let scene = try ServedScene()
        try await scene.codeMember()
        for contact in [otherMail, phone] { try scene.addMethod(contact) }
        try scene.demandSecondFactor(MultiFactorPolicy(afterCode: true), of: AppRegistration.codeSampleID)
        var step = try await scene.codeClient().signIn(username: mail).code.submit(scene.code())
        // Another mail would prove nothing that the first did not.
        #expect(try step.factor.methods.map(\.channel) == ["sms"])
        step = try await step.factor.challenge(step.factor.methods[0])
        let account = try await step.factorCode.submit(scene.code(phone)).account
        #expect(Set(account.claims.strings("amr")) == ["otp", "sms", "mfa"])
    }

    @Test func codeSufficesWithoutThatPolicy() async throws {
        let scene = try ServedScene()
        try await scene.codeMember()
        try scene.addMethod(phone)
        try scene.demandSecondFactor(of: AppRegistration.codeSampleID)
        _ = try await scene.codeClient().signIn(username: mail).code.submit(scene.code()).account
    }

    @Test func scopesAndClaimsAreKept() async throws {
        let scene = try await scene([phone])
        let claims = ClaimsRequest(accessToken: ["country": .essential])
        var step = try await scene.signIn(ServedScene.orders, claims: claims)
        step = try await step.factor.challenge(step.factor.methods[0])
        let account = try await step.factorCode.submit(scene.code(phone)).account
        let token = try #require(Claims(uncheckedToken: try await account.accessToken().value))
        #expect(token.string("scp") == "Orders.Read Orders.Write")
        #expect(token.string("country") == "Norway")
    }

    // MARK: - Choices

    @Test func changeOfMethodKillsTheFirstCode() async throws {
        let scene = try await scene([otherMail, phone])
        var step = try await scene.signIn()
        #expect(try Set(step.factor.methods.map(\.channel)) == ["email", "sms"])
        step = try await step.factor.challenge(method("email", of: step.factor.methods))
        let old = try scene.code(otherMail)
        step = try await step.factorCode.challenge(method("sms", of: step.factorCode.methods))
        #expect(try step.factorCode.method.channel == "sms")
        step = try await retry(after: .invalidCode) { try await step.factorCode.submit(old) }
        _ = try await step.factorCode.submit(scene.code(phone)).account
    }

    @Test func blockedMethodThenAnother() async throws {
        let scene = try await scene([otherMail, phone]) { $0.blockedContacts = ["+479*"] }
        var step = try await scene.signIn()
        step = try await retry(after: .methodBlocked) {
            try await step.factor.challenge(method("sms", of: step.factor.methods))
        }
        step = try await step.factor.challenge(method("email", of: step.factor.methods))
        let code = try scene.code(otherMail)
        // A change that is refused leaves the code that was sent.
        step = try await retry(after: .methodBlocked) {
            try await step.factorCode.challenge(method("sms", of: step.factorCode.methods))
        }
        _ = try await step.factorCode.submit(code).account
    }

    @Test func policyLeavesMethodsOut() async throws {
        let scene = try await scene([otherMail, phone])
        try scene.demandSecondFactor(MultiFactorPolicy(channels: [.sms]))
        #expect(try await scene.signIn().factor.methods.map(\.channel) == ["sms"])
    }

    // MARK: - Codes

    @Test func wrongCodeThenRight() async throws {
        let scene = try await scene([phone])
        var step = try await scene.signIn()
        step = try await step.factor.challenge(step.factor.methods[0])
        step = try await retry(after: .invalidCode) { try await step.factorCode.submit(ServedScene.wrong) }
        step = try await retry(after: .invalidCode) { try await step.factorCode.submit("") }
        _ = try await step.factorCode.submit(scene.code(phone)).account
    }

    @Test func resendKillsTheOldCode() async throws {
        let scene = try await scene([phone])
        var step = try await scene.signIn()
        step = try await step.factor.challenge(step.factor.methods[0])
        let old = try scene.code(phone)
        step = try await step.factorCode.resend()
        step = try await retry(after: .invalidCode) { try await step.factorCode.submit(old) }
        _ = try await step.factorCode.submit(scene.code(phone)).account
    }

    @Test func tooManyCodesLeaveTheLastOne() async throws {
        let scene = try await scene([phone]) { $0.codesPerAddress = 1 }
        var step = try await scene.signIn()
        step = try await step.factor.challenge(step.factor.methods[0])
        step = try await retry(after: .tooManyCodes) { try await step.factorCode.resend() }
        _ = try await step.factorCode.submit(scene.code(phone)).account
        let next = try await scene.signIn()
        let again = try await retry(after: .tooManyCodes) {
            try await next.factor.challenge(next.factor.methods[0])
        }
        scene.wait(1800)
        try await end(by: .flowExpired) { try await again.factor.challenge(again.factor.methods[0]) }
    }

    // MARK: - Ends

    @Test(arguments: [Capabilities.registration, []])
    func browserWithoutTheCapability(_ capabilities: Capabilities) async throws {
        let scene = try await scene([phone])
        let client = try scene.client { $0.capabilities = capabilities }
        let error = try await end(by: .browserRequired) {
            try await client.signIn(username: mail, password: ServedScene.password)
        }
        #expect(error.message == "Client is missing mfa_required capability")
    }

    @Test func flowExpires() async throws {
        let scene = try await scene([phone])
        let choice = try await scene.signIn()
        let sent = try await scene.signIn().factor.challenge(choice.factor.methods[0])
        scene.wait(600)
        try await end(by: .flowExpired) { try await choice.factor.challenge(choice.factor.methods[0]) }
        try await end(by: .flowExpired) { try await sent.factorCode.submit(scene.code(phone)) }
    }

    @Test func disabledMeanwhile() async throws {
        let scene = try await scene([phone])
        var step = try await scene.signIn()
        step = try await step.factor.challenge(step.factor.methods[0])
        try scene.changeAccount { $0.isDisabled = true }
        try await end(by: .accountDisabled) { try await step.factorCode.submit(scene.code(phone)) }
    }

    @Test func cancelledAndSaidAgain() async throws {
        let scene = try await scene([phone])
        let choice = try await scene.signIn()
        let again = try await cancelled(scene.traffic.hold("/oauth2/v2.0/challenge")) {
            try await choice.factor.challenge(choice.factor.methods[0])
        }
        let sent = try await again.factor.challenge(again.factor.methods[0])
        let code = try scene.code(phone)
        let last = try await cancelled(scene.traffic.hold("/token")) { try await sent.factorCode.submit(code) }
        _ = try await last.factorCode.submit(code).account
        // The challenge that nobody waited for and the one after it are the same request, and one message.
        #expect(try scene.mails(phone) == 1)
    }

    @Test func cancelledOnTheWayToTheMethods() async throws {
        let scene = try await scene([phone])
        let step = try await scene.client.signIn(username: mail)
        let again = try await cancelled(scene.traffic.hold("/introspect")) {
            try await step.password.submit(ServedScene.password)
        }
        _ = try await again.password.submit(ServedScene.password).factor
    }
}
