// SPDX-License-Identifier: Apache-2.0

import Tenant
import TenantTesting
import Testing
import Wire

private let mira = "mira@lofoten.example"
private let phone = "+4790000007"
private let strange = "challenge_target=%2B4790000666"
private let fresh = "Midnight-Sun-48"
private let other = "Polar-Night-49"

/// What comes when something else has happened to the account: it ends, whatever was proven before.
struct LatenessTests {
    private let scene: Scene

    init() throws { scene = Scene(try TestTenant()) }

    private func expectOver(_ answer: RawAnswer, _ location: SourceLocation = #_sourceLocation) {
        #expect(answer.status == 400 && answer.error == "expired_token", "\(answer.json)", sourceLocation: location)
        #expect(answer.token.isEmpty, sourceLocation: location)
    }

    // MARK: - Registrations

    /// Whoever knows the password alone does not get a method of his own when there is one.
    @Test(arguments: ["introspect", "challenge", "continue"])
    func registrationIsTooLateWhenThereIsAMethod(_ call: String) throws {
        let (app, due) = try scene.secondFactorDue(mira, [])
        let sent = try scene.registerChallenge(due.token, strange, app: app)
        let code = try scene.code("+4790000666")
        #expect(try scene.tenant.provider.addMethod(try #require(Contact(phone)), to: mira))
        let answer =
            switch call {
            case "introspect": try scene.registerIntrospect(sent.token, app: app)
            case "challenge": try scene.registerChallenge(sent.token, strange, app: app)
            default: try scene.registerProceed(sent.token, "grant_type=oob&oob=\(code)", app: app)
            }
        expectOver(answer)
        #expect(try scene.tenant.provider.accounts().first?.methods.map(\.text) == [phone])
    }

    /// A flow has an end, however often it is carried on.
    @Test("Rule 21: a flow has an end, however often it is carried on") func flowIsNotCarriedOnForEver() throws {
        let (app, due) = try scene.secondFactorDue(mira, [])
        var answer = due
        for _ in 1...8 {
            answer = try scene.registerIntrospect(answer.token, app: app)
            scene.tenant.clock.advance(by: 500)
        }
        #expect(answer.status == 200)
        expectOver(try scene.registerIntrospect(answer.token, app: app))
    }

    @Test func wayThatWasSwitchedOffRegistersNothing() throws {
        let (app, due) = try scene.secondFactorDue(mira, [])
        let sent = try scene.registerChallenge(due.token, strange, app: app)
        try scene.change(app) { $0.multiFactor = MultiFactorPolicy(channels: [.email]) }
        let code = try scene.code("+4790000666")
        let answer = try scene.registerProceed(sent.token, "grant_type=oob&oob=\(code)", app: app)
        #expect(answer.suberror == "provider_blocked_by_admin")
        #expect(try scene.tenant.provider.accounts().first?.methods == [])
    }

    @Test func wayThatWasSwitchedOffProvesNothing() throws {
        let (app, sent) = try scene.secondCodeSent(mira, [phone], by: "sms")
        try scene.change(app) { $0.multiFactor = MultiFactorPolicy(channels: [.email]) }
        let proof = "grant_type=mfa_oob&continuation_token=\(sent.token)&oob=\(try scene.code(phone))"
        #expect(try scene.token(proof, app: app).code == 55200)
    }

    // MARK: - Resets

    /// A reset that came as far as it says, while another one of the same account is finished.
    private func overtaken(_ stage: (Scene) throws -> RawAnswer) throws -> RawAnswer {
        try scene.passwordAccount(mira)
        scene.tenant.clock.advance(by: 1)
        let slow = try stage(scene)
        scene.tenant.clock.advance(by: 1)
        #expect(try scene.resetDone(mira).status == 200)
        return slow
    }

    @Test func codeOfAnOvertakenResetProvesNothing() throws {
        let slow = try overtaken { try $0.resetCodeSent(mira) }
        expectOver(try scene.resetProceed(slow.token, "00000000"))
    }

    @Test func overtakenResetSetsNoPassword() throws {
        let slow = try overtaken { try $0.resetVerified(mira) }
        expectOver(try scene.resetSubmit(slow.token, other))
    }

    @Test func overtakenResetGivesNoTokens() throws {
        let slow = try overtaken { scene in
            let verified = try scene.resetVerified(mira)
            return try scene.resetSubmit(verified.token, other)
        }
        expectOver(try scene.poll(slow.token))
    }

    @Test func overtakenResetIsNotSubmittedAgain() throws {
        let slow = try overtaken { scene in
            let verified = try scene.resetVerified(mira)
            return try scene.resetSubmit(verified.token, other)
        }
        expectOver(try scene.resetSubmit(slow.token, fresh + "9"))
    }
}
