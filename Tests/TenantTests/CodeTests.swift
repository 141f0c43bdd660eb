// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

/// One-time passcodes.
struct CodeTests {
    private let mira = "mira@lofoten.example"

    private func submit(_ scene: Scene, _ token: String, _ code: String) throws -> RawAnswer {
        try scene.proceed(token, "grant_type=oob&oob=\(code)")
    }

    @Test("Rule 7: a code is good once") func codeIsGoodOnce() throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        let code = try scene.code(mira)
        #expect(try submit(scene, sent.token, code).error == "credential_required")
        // Another body, so that this is no repeated request.
        #expect(try scene.proceed(sent.token, "oob=\(code)&grant_type=oob").code == 55200)
    }

    @Test("Rule 4: five wrong tries end a code, and the right one comes too late") func fiveWrongTriesEndACode() throws
    {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        let right = try scene.code(mira)
        for number in 0..<5 {
            #expect(try submit(scene, sent.token, try scene.wrongCode(mira, number)).suberror == "invalid_oob_value")
        }
        let late = try submit(scene, sent.token, right)
        #expect(late.suberror == "invalid_oob_value")
        #expect(late.code == 50181)
        // A new code helps.
        scene.tenant.clock.advance(by: 1)
        let again = try scene.signUpChallenge(sent.token)
        #expect(try submit(scene, again.token, try scene.code(mira)).error == "credential_required")
    }

    @Test func fourWrongTriesLeaveIt() throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        let right = try scene.code(mira)
        for number in 0..<4 { _ = try submit(scene, sent.token, try scene.wrongCode(mira, number)) }
        #expect(try submit(scene, sent.token, right).error == "credential_required")
    }

    @Test func aWrongTryThatComesAgainCountsOnce() throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        let right = try scene.code(mira)
        for _ in 0..<20 {
            #expect(try submit(scene, sent.token, try scene.wrongCode(mira)).suberror == "invalid_oob_value")
        }
        #expect(try submit(scene, sent.token, right).error == "credential_required")
    }

    @Test(
        "Rule 13: what is not as many digits is no code",
        arguments: [
            "", "1", "1234567", "123456789", "１２３４５６７８", "1234567a", "12345678%00", "%2B1234567", "-1234567",
            "00000000%0A",
        ])
    func otherTextIsNoCode(_ text: String) throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        let answer = try submit(scene, sent.token, text)
        #expect(answer.suberror == (text.isEmpty ? nil : "invalid_oob_value"))
        #expect(try submit(scene, sent.token, try scene.code(mira)).error == "credential_required")
    }

    @Test(
        "Rule 3: a code has a life, to the second",
        arguments: [(299.0, "credential_required"), (300, "invalid_grant"), (301, "invalid_grant")])
    func codeHasALife(_ seconds: Double, _ error: String) throws {
        let scene = Scene(try TestTenant { $0.codeLifetime = 300 })
        let sent = try scene.codeSent(mira)
        scene.tenant.clock.advance(by: seconds)
        #expect(try submit(scene, sent.token, try scene.code(mira)).error == error)
    }

    @Test("Rule 9: a new code ends the one before it") func resendEndsTheOldCode() throws {
        let scene = Scene(try TestTenant())
        let first = try scene.codeSent(mira)
        let old = try scene.code(mira)
        scene.tenant.clock.advance(by: 1)
        let second = try scene.signUpChallenge(first.token)
        let new = try scene.code(mira)
        #expect(second.token != first.token)
        #expect(try scene.tenant.mails(to: mira) == 2)
        if old != new { #expect(try submit(scene, second.token, old).suberror == "invalid_oob_value") }
        #expect(try submit(scene, second.token, new).error == "credential_required")
    }

    @Test("Rule 8: a mailbox gets so many codes") func addressHasALimit() throws {
        let scene = Scene(try TestTenant())
        for number in 1...5 {
            let opened = try scene.start(number % 2 == 0 ? mira : "Mira@Lofoten.Example")
            #expect(try scene.signUpChallenge(opened.token)["challenge_type"] == .string("oob"))
        }
        let opened = try scene.start(mira)
        #expect(try scene.signUpChallenge(opened.token).code == 701_014)
        // Another address has a limit of its own, and the old one is free again after half an hour.
        #expect(try scene.codeSent("other@lofoten.example")["challenge_type"] == .string("oob"))
        scene.tenant.clock.advance(by: 1799)
        #expect(try scene.codeSent(mira).code == 701_014)
        scene.tenant.clock.advance(by: 1)
        #expect(try scene.codeSent(mira)["challenge_type"] == .string("oob"))
    }

    /// The limit leaves the flow, its token and its last code as they were.
    @Test func limitLeavesTheLastCode() throws {
        let scene = Scene(try TestTenant { $0.codesPerAddress = 1 })
        let sent = try scene.codeSent(mira)
        #expect(try scene.signUpChallenge(sent.token).code == 701_014)
        #expect(try submit(scene, sent.token, try scene.code(mira)).error == "credential_required")
        #expect(try scene.tenant.mails(to: mira) == 1)
    }

    @Test("Rule 8: a flow waits between two codes") func waitBetweenCodesIsInsistedOn() throws {
        let scene = Scene(try TestTenant { $0.resendWait = 30 })
        let sent = try scene.codeSent(mira)
        scene.tenant.clock.advance(by: 29)
        #expect(try scene.signUpChallenge(sent.token).code == 701_014)
        scene.tenant.clock.advance(by: 1)
        #expect(try scene.signUpChallenge(sent.token)["challenge_type"] == .string("oob"))
    }

    @Test("Rule 10: a code is good in its flow alone") func codeBelongsToItsFlow() throws {
        let scene = Scene(try TestTenant())
        try scene.codeAccount(mira)
        scene.tenant.clock.advance(by: 1)
        let first = try scene.challenged(mira, app: Scene.codeApp)
        let code = try scene.code(mira)
        scene.tenant.clock.advance(by: 1)
        let second = try scene.challenged(mira, app: Scene.codeApp)
        let signUp = try scene.codeSent("other@lofoten.example")
        #expect(try submit(scene, signUp.token, code).suberror == "invalid_oob_value")
        if try scene.code(mira) != code {
            let crossed = try scene.token(
                "grant_type=oob&continuation_token=\(second.token)&oob=\(code)", app: Scene.codeApp)
            #expect(crossed.suberror == "invalid_oob_value")
        }
        let own = try scene.token("grant_type=oob&continuation_token=\(first.token)&oob=\(code)", app: Scene.codeApp)
        #expect(own.status == 200)
    }

    @Test("Rule 2: the length that is told is that of the code", arguments: 6...10)
    func lengthIsTold(_ length: Int) throws {
        let scene = Scene(try TestTenant { $0.codeLength = length })
        let sent = try scene.codeSent(mira)
        #expect(sent["code_length"] == .integer(Int64(length)))
        #expect(try scene.code(mira).count == length)
        #expect(try submit(scene, sent.token, try scene.code(mira)).error == "credential_required")
    }

    @Test func noMailBeforeTheChallenge() throws {
        let scene = Scene(try TestTenant())
        _ = try scene.start(mira)
        #expect(try scene.tenant.mails(to: mira) == 0)
    }

    @Test func digitsAreEvenlySpread() {
        var counts = [Int](repeating: 0, count: 10)
        for _ in 0..<5000 { for digit in RandomSource.system.code(digits: 8).utf8 { counts[Int(digit) - 48] += 1 } }
        // Chi-square with nine degrees of freedom: beyond 40 once in a hundred thousand runs.
        let deviation = counts.reduce(0.0) { $0 + (Double($1) - 4000) * (Double($1) - 4000) / 4000 }
        #expect(deviation < 40)
    }
}
