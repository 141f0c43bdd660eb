// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Testing
import Wire

private let mira = "mira@lofoten.example"
private let second = "mira@bergen.example"
private let phone = "+4790000007"

/// Second factors and the registration of methods, beyond what the protocol's vectors hold.
struct SecondFactorTests {
    private let scene: Scene

    init() throws { scene = Scene(try TestTenant()) }

    private func amr(_ answer: RawAnswer) -> JSONValue? {
        JWT(answer["id_token"]?.string ?? "")?.claims["amr"]
    }

    // MARK: - The policy's channels

    @Test(arguments: [([Channel.email], ["email"]), ([.sms], ["sms"]), ([.email, .sms], ["email", "sms"])])
    func onlyThePolicysChannelsAreListed(_ channels: [Channel], _ listed: [String]) throws {
        let (app, due) = try scene.secondFactorDue(mira, [second, phone], MultiFactorPolicy(channels: channels))
        #expect(try scene.introspect(due.token, app: app).methods("challenge_channel").sorted() == listed)
    }

    @Test(arguments: [([Channel.email], ["email"]), ([.sms], ["sms"]), ([.email, .sms], ["email", "sms"])])
    func onlyThePolicysChannelsCanBeRegistered(_ channels: [Channel], _ listed: [String]) throws {
        let (app, due) = try scene.secondFactorDue(mira, [], MultiFactorPolicy(channels: channels))
        #expect(try scene.registerIntrospect(due.token, app: app).methodIDs == listed)
    }

    /// A method that the policy does not take is none.
    @Test func methodOfAnotherChannelDoesNotCount() throws {
        let (_, due) = try scene.secondFactorDue(mira, [second], MultiFactorPolicy(channels: [.sms]))
        #expect(due.suberror == "registration_required")
    }

    @Test func methodOfAnotherChannelSendsNothing() throws {
        let everything = try scene.secondFactorDue(mira, [second, phone])
        let listed = try scene.introspect(everything.answer.token, app: everything.app)
        let mailID = zip(listed.methodIDs, listed.methods("challenge_channel")).first { $1 == "email" }?.0 ?? ""
        let app = try scene.strongApp(MultiFactorPolicy(channels: [.sms]))
        let due = try scene.signIn(mira, app: app, Scene.capable)
        #expect(try scene.signInChallenge(due.token, app: app, "&id=\(mailID)").code == 90100)
        #expect(try scene.tenant.mails(to: second) == 0)
    }

    // MARK: - After a code

    @Test(arguments: [
        (MultiFactorPolicy(), false), (MultiFactorPolicy(afterCode: true), true),
        (MultiFactorPolicy(channels: [.email], afterCode: true), false),
        (MultiFactorPolicy(channels: [.sms], afterCode: true), true),
    ])
    func codeIsFollowedByATextMessageOrNothing(_ policy: MultiFactorPolicy, _ isFollowed: Bool) throws {
        try scene.codeAccount(mira)
        for contact in [second, phone] {
            _ = try scene.tenant.provider.addMethod(try #require(Contact(contact)), to: mira)
        }
        let app = try scene.strongApp(policy, flow: "email-code")
        scene.tenant.clock.advance(by: 1)
        let sent = try scene.challenged(mira, app: app, Scene.capable)
        let answer = try scene.token(
            "grant_type=oob&continuation_token=\(sent.token)&oob=\(try scene.code(mira))", app: app)
        #expect((answer.suberror == "mfa_required") == isFollowed)
        #expect((answer.status == 200) == !isFollowed)
        if isFollowed {
            #expect(try scene.introspect(answer.token, app: app).methods("challenge_channel") == ["sms"])
        }
    }

    // MARK: - The code

    @Test func onlyOneMethodNeedsNoName() throws {
        let (app, due) = try scene.secondFactorDue(mira, [phone])
        let sent = try scene.signInChallenge(due.token, app: app)
        #expect(sent["challenge_channel"] == .string("sms"))
        let again = try scene.signInChallenge(sent.token, app: app)
        #expect(again["challenge_channel"] == .string("sms"))
        #expect(try scene.tenant.mails(to: phone) == 2)
    }

    @Test func codeOfOneMethodIsNoneOfAnother() throws {
        let (app, mailed) = try scene.secondCodeSent(mira, [second, phone], by: "email")
        let listed = try scene.introspect(mailed.token, app: app)
        let phoneID = zip(listed.methodIDs, listed.methods("challenge_channel")).first { $1 == "sms" }?.0 ?? ""
        let texted = try scene.signInChallenge(listed.token, app: app, "&id=\(phoneID)")
        let proof = "grant_type=mfa_oob&continuation_token=\(texted.token)&oob="
        if try scene.code(second) != scene.code(phone) {
            #expect(try scene.token(proof + scene.code(second), app: app).suberror == "invalid_oob_value")
        }
        #expect(try scene.token(proof + scene.code(phone), app: app).status == 200)
    }

    @Test func fiveWrongSecondCodesEndTheCode() throws {
        let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
        let proof = "grant_type=mfa_oob&continuation_token=\(sent.token)&oob="
        for number in 0..<5 {
            #expect(try scene.token(proof + scene.wrongCode(phone, number), app: app).suberror == "invalid_oob_value")
        }
        #expect(try scene.token(proof + scene.code(phone), app: app).suberror == "invalid_oob_value")
    }

    @Test func secondFactorIsAskedEachTime() throws {
        let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
        let tokens = try scene.token(
            "grant_type=mfa_oob&continuation_token=\(sent.token)&oob=\(try scene.code(phone))", app: app)
        #expect(amr(tokens) == .array([.string("pwd"), .string("sms"), .string("mfa")]))
        #expect(try scene.signIn(mira, app: app, Scene.capable).suberror == "mfa_required")
    }

    @Test func otherAppsAskForNothingMore() throws {
        _ = try scene.secondFactorDue(mira, [phone])
        let tokens = try scene.signIn(mira)
        #expect(tokens.status == 200)
        #expect(amr(tokens) == .array([.string("pwd")]))
    }

    // MARK: - Registration

    /// An address counts as proven in the flow that has proven it, and nowhere else.
    @Test func addressIsNotProvenByAPassword() throws {
        let (_, sent) = try scene.registrationSent(mira, "challenge_target=\(mira)")
        #expect(sent["challenge_type"] == .string("oob"))
        #expect(try scene.tenant.mails(to: mira) == 2)
    }

    @Test func otherAddressIsNotProvenByASignUp() throws {
        let app = try scene.strongApp()
        let done = try scene.verified(mira, app: app, "&password=\(Scene.password)&\(Scene.country)\(Scene.capable)")
        let due = try scene.redeem(done.token, app: app)
        let sent = try scene.registerChallenge(due.token, "challenge_target=\(second)", app: app)
        #expect(sent["challenge_type"] == .string("oob"))
        #expect(try scene.registerProceed(sent.token, "grant_type=continuation_token", app: app).code == 55200)
    }

    @Test func registeredMethodIsAskedNextTime() throws {
        let (app, done) = try scene.registered(mira)
        let tokens = try scene.redeem(done.token, app: app)
        #expect(amr(tokens) == .array([.string("pwd"), .string("otp"), .string("mfa")]))
        let due = try scene.signIn(mira, app: app, Scene.capable)
        #expect(due.suberror == "mfa_required")
        #expect(try scene.introspect(due.token, app: app).methods("login_hint") == ["m***a@be****.example"])
    }

    @Test func contactCanBeChangedBeforeItsCode() throws {
        let (app, first) = try scene.registrationSent(mira, "challenge_target=\(second)")
        let next = try scene.registerChallenge(first.token, "challenge_target=%2B4790000007", app: app)
        #expect(next["challenge_target"] == .string(phone))
        if try scene.code(second) != scene.code(phone) {
            let wrong = try scene.registerProceed(next.token, "grant_type=oob&oob=\(scene.code(second))", app: app)
            #expect(wrong.suberror == "invalid_oob_value")
        }
        #expect(
            try scene.registerProceed(next.token, "grant_type=oob&oob=\(scene.code(phone))", app: app).status == 200)
        #expect(try scene.tenant.provider.accounts().first?.methods.map(\.text) == [phone])
    }

    @Test(arguments: [
        "challenge_target=%2B4790000007&challenge_channel=email", "challenge_target=\(second)&challenge_channel=sms",
        "challenge_target=nobody", "challenge_target=4790000007",
    ])
    func contactHasToFitItsChannel(_ target: String) throws {
        let (app, due) = try scene.secondFactorDue(mira, [])
        let refused = try scene.registerChallenge(due.token, target, app: app)
        #expect(refused.code == 901_001)
        #expect(try scene.registerChallenge(due.token, "challenge_target=\(second)", app: app).status == 200)
    }

    @Test func contactIsSentAsItIsUnderstood() throws {
        let (_, sent) = try scene.registrationSent(mira, "challenge_target=%2B47%20900%2000%20007")
        #expect(sent["challenge_target"] == .string(phone))
        #expect(try scene.tenant.mails(to: phone) == 1)
    }

    @Test func grantsOfOtherStagesAreRefused() throws {
        let (app, due) = try scene.secondFactorDue(mira, [])
        let refusals: [(String, RawAnswer)] = [
            (
                "a code before it was sent",
                try scene.registerProceed(due.token, "grant_type=oob&oob=12345678", app: app)
            ),
            ("nothing proven", try scene.registerProceed(due.token, "grant_type=continuation_token", app: app)),
            ("tokens", try scene.redeem(due.token, app: app)),
            ("a second factor's methods", try scene.introspect(due.token, app: app)),
            ("a second factor's code", try scene.signInChallenge(due.token, app: app)),
        ]
        for (title, answer) in refusals {
            #expect(answer.error == "invalid_request", "\(title)")
            #expect(answer.code == 55200, "\(title)")
        }
        #expect(try scene.registerProceed(due.token, "grant_type=banana", app: app).error == "invalid_grant")
    }
}
