// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Testing
import Wire

private let mira = "mira@lofoten.example"
private let second = "mira@bergen.example"
private let phone = "+4790000007"
private let fresh = "Midnight-Sun-48"

/// Password resets: who gets the code, what a new password ends, and what it does not get around.
struct ResetTests {
    private let scene: Scene

    init() throws { scene = Scene(try TestTenant()) }

    private func addMethods(_ contacts: String...) throws {
        for contact in contacts {
            #expect(try scene.tenant.provider.addMethod(try #require(Contact(contact)), to: mira))
        }
    }

    /// A reset of an account that is there already, as far as its success.
    private func reset(app: String = Scene.passwordApp, _ more: String = "", to address: String = mira) throws
        -> RawAnswer
    {
        scene.tenant.clock.advance(by: 1)
        let sent = try scene.resetChallenge(try scene.resetStart(mira, app: app, more).token, app: app)
        let verified = try scene.resetProceed(sent.token, try scene.code(address), app: app)
        let submitted = try scene.resetSubmit(verified.token, fresh, app: app)
        _ = try scene.poll(submitted.token, app: app)
        return try scene.poll(submitted.token, app: app)
    }

    // MARK: - What a new password ends

    @Test("Rule 54: a reset ends all sessions") func sessionsEnd() throws {
        let before = try scene.signedIn(mira)
        let done = try reset()
        #expect(try scene.refresh(before.refreshToken).code == 700_082)
        let after = try scene.redeem(done.token)
        #expect(try scene.refresh(after.refreshToken).status == 200)
    }

    @Test func sessionsOfOthersLiveOn() throws {
        let other = try scene.signedIn("ola@lofoten.example")
        try scene.passwordAccount(mira)
        _ = try reset()
        #expect(try scene.refresh(other.refreshToken).status == 200)
    }

    @Test("Rule 39: a reset opens a locked account") func lockedAccountOpens() throws {
        try scene.passwordAccount(mira)
        let token = try scene.challenged(mira).token
        for number in 1...10 { _ = try scene.submit(password: "wrong-\(number)", token) }
        #expect(try scene.submit(password: Scene.password, token).code == 50053)
        _ = try reset()
        #expect(try scene.submit(password: fresh, token).status == 200)
    }

    @Test func passwordThatHadToBeChangedIsChanged() throws {
        try scene.passwordAccount(mira)
        _ = try scene.tenant.provider.changeAccount(mira) { $0.mustChangePassword = true }
        #expect(try scene.signIn(mira).code == 50142)
        let done = try reset()
        #expect(try scene.redeem(done.token).status == 200)
        #expect(try scene.submit(password: fresh, try scene.challenged(mira).token).status == 200)
    }

    @Test func oldPasswordIsGoodUntilTheNewOneIsThere() throws {
        _ = try scene.resetVerified(mira)
        #expect(try scene.signIn(mira).status == 200)
    }

    @Test func lostAnswerOfTheNewPasswordCanBeFetchedAgain() throws {
        let verified = try scene.resetVerified(mira)
        let first = try scene.resetSubmit(verified.token, fresh)
        #expect(try scene.resetSubmit(verified.token, fresh).json == first.json)
        #expect(try scene.resetSubmit(verified.token, "Other-Password-49").code == 55200)
        #expect(try scene.submit(password: fresh, try scene.challenged(mira).token).status == 200)
    }

    /// Whoever has come half the way with the old password comes no further.
    @Test func whatTheOldPasswordBeganEnds() throws {
        try scene.passwordAccount(mira)
        let app = try scene.strongApp()
        let due = try scene.signIn(mira, app: app, Scene.capable)
        _ = try reset()
        for _ in 0..<2 {
            let refused = try scene.registerChallenge(due.token, "challenge_target=%2B4790000007", app: app)
            #expect(refused.error == "expired_token")
        }
        #expect(try scene.tenant.mails(to: phone) == 0)
        #expect(try scene.tenant.provider.accounts().first?.methods == [])
    }

    @Test func registrationOfTheOldPasswordEnds() throws {
        try scene.passwordAccount(mira)
        let app = try scene.strongApp()
        let due = try scene.signIn(mira, app: app, Scene.capable)
        let sent = try scene.registerChallenge(due.token, "challenge_target=%2B4790000007", app: app)
        _ = try reset()
        let proof = "grant_type=oob&oob=\(try scene.code(phone))"
        for _ in 0..<2 {
            #expect(try scene.registerProceed(sent.token, proof, app: app).error == "expired_token")
        }
        #expect(try scene.tenant.provider.accounts().first?.methods == [])
    }

    @Test func tokenOfTheOldPasswordEnds() throws {
        let done = try scene.passwordAccount(mira)
        _ = try reset()
        #expect(try scene.redeem(done.token).error == "expired_token")
    }

    // MARK: - Where the code goes

    /// A second mailbox, if there is one; a telephone is not asked.
    @Test(arguments: [
        ([], mira), ([phone], mira), ([second], second), ([phone, second], second), ([mira], mira),
        ([mira, second], second),
    ])
    func codeGoesTo(_ methods: [String], _ target: String) throws {
        try scene.passwordAccount(mira)
        for method in methods { try addMethods(method) }
        scene.tenant.clock.advance(by: 1)
        let before = try scene.tenant.mails(to: target)
        let sent = try scene.resetChallenge(try scene.resetStart(mira).token)
        #expect(try scene.tenant.mails(to: target) == before + 1)
        #expect(
            sent["challenge_target_label"] == .string(target == mira ? "m***a@lo*****.example" : "m***a@be****.example")
        )
        #expect(sent["challenge_channel"] == .string("email"))
        #expect(try scene.resetProceed(sent.token, try scene.code(target)).status == 200)
    }

    // MARK: - What it does not get around

    @Test("Rule 55: a reset does not get around the second factor") func secondFactorIsAskedAfterwards() throws {
        try scene.passwordAccount(mira)
        try addMethods(phone)
        let app = try scene.strongApp()
        let done = try reset(app: app, Scene.capable)
        #expect(try scene.redeem(done.token, app: app).suberror == "mfa_required")
    }

    @Test func clientThatCannotProveMoreNeedsABrowser() throws {
        try scene.passwordAccount(mira)
        try addMethods(phone)
        let app = try scene.strongApp()
        let done = try reset(app: app)
        #expect(try scene.redeem(done.token, app: app)["challenge_type"] == .string("redirect"))
    }

    /// The reset's code went to the second mailbox, and still is the first factor only.
    @Test func codeOfTheResetIsNoSecondFactor() throws {
        try scene.passwordAccount(mira)
        try addMethods(second)
        let app = try scene.strongApp()
        let done = try reset(app: app, Scene.capable, to: second)
        #expect(try scene.redeem(done.token, app: app).suberror == "mfa_required")
    }

    @Test func registrationIsAskedAfterwards() throws {
        try scene.passwordAccount(mira)
        let app = try scene.strongApp()
        let due = try scene.redeem(try reset(app: app, Scene.capable).token, app: app)
        #expect(due.suberror == "registration_required")
        let proven = try scene.registerChallenge(due.token, "challenge_target=\(mira)", app: app)
        #expect(proven["challenge_type"] == .string("preverified"))
    }

    @Test func disabledAccountHasNoReset() throws {
        try scene.passwordAccount(mira)
        _ = try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = true }
        let answer = try scene.resetStart(mira)
        #expect(answer.status == 400)
        #expect(answer.code == 50057)
    }

    @Test func accountDisabledMeanwhileKeepsItsPassword() throws {
        let verified = try scene.resetVerified(mira)
        _ = try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = true }
        #expect(try scene.resetSubmit(verified.token, fresh).code == 50057)
        _ = try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = false }
        #expect(try scene.signIn(mira).status == 200)
    }

    @Test func federatedAccountNeedsABrowser() throws {
        try scene.passwordAccount(mira)
        _ = try scene.tenant.provider.changeAccount(mira) { $0.identityProvider = "google.com" }
        #expect(try scene.resetStart(mira)["challenge_type"] == .string("redirect"))
    }

    @Test func appWithoutAUserFlowNeedsABrowser() throws {
        try scene.passwordAccount(mira)
        let answer = try scene.resetStart(mira, app: try scene.app(native: true, flow: nil))
        #expect(answer["challenge_type"] == .string("redirect"))
        #expect(answer.token.isEmpty)
    }

    @Test func listWithoutCodesNeedsABrowser() throws {
        try scene.passwordAccount(mira)
        let answer = try scene.caller.post(
            "/resetpassword/v1.0/start",
            "client_id=\(Scene.passwordApp)&username=\(mira)&challenge_type=password+redirect")
        #expect(answer["challenge_type"] == .string("redirect"))
    }

    // MARK: - Order

    @Test func callsOutOfOrderAreRefused() throws {
        try scene.passwordAccount(mira)
        scene.tenant.clock.advance(by: 1)
        let opened = try scene.resetStart(mira).token
        let sent = try scene.resetChallenge(try scene.resetStart(mira).token).token
        let refusals: [(String, RawAnswer)] = [
            ("a password before the code was sent", try scene.resetSubmit(opened, fresh)),
            ("a password before the code", try scene.resetSubmit(sent, fresh)),
            ("a look before the password", try scene.poll(sent)),
            ("tokens before the password", try scene.redeem(sent)),
            ("a sign-in's challenge", try scene.signInChallenge(sent)),
            ("a sign-up's code", try scene.proceed(sent, "grant_type=oob&oob=12345678")),
        ]
        for (title, answer) in refusals {
            #expect(answer.error == "invalid_request", "\(title)")
            #expect(answer.code == 55200, "\(title)")
        }
        let verified = try scene.resetProceed(sent, try scene.code(mira))
        #expect(try scene.resetChallenge(verified.token).code == 55200)
        #expect(try scene.redeem(verified.token).code == 55200)
        #expect(try scene.resetSubmit(verified.token, fresh).status == 200)
    }

    @Test func codeOfAResetSignsNobodyIn() throws {
        try scene.codeAccount(mira)
        try scene.passwordAccount("ola@lofoten.example")
        scene.tenant.clock.advance(by: 1)
        let signIn = try scene.challenged(mira, app: Scene.codeApp)
        _ = try scene.resetChallenge(try scene.resetStart("ola@lofoten.example").token)
        let code = try scene.code("ola@lofoten.example")
        if code != (try scene.code(mira)) {
            let answer = try scene.token(
                "grant_type=oob&continuation_token=\(signIn.token)&oob=\(code)", app: Scene.codeApp)
            #expect(answer.suberror == "invalid_oob_value")
        }
    }
}
