// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"

/// Passwords as NIST's SP 800-63B wants them.
struct StrictPasswordTests {
    private let rules = PasswordRules(
        minimum: 15, kinds: 0, takesUnicode: true, words: .all, own: ["fjordshop", "nativeauth"])

    private func refusal(_ password: String, username: String = "mira.larsen@lofoten.example") throws -> String? {
        let address = try #require(EmailAddress(username))
        return rules.refusal(of: Password(password), username: address)?.suberror?.rawValue
    }

    @Test(
        "Rules 48 and 53: fifteen characters of any kind are a password",
        arguments: [
            "gkwmzpvtqxrbnhd", "wfkzmqpxvtbrngdhjkwx", "481 620 957 304 1", "Grønn båt på fjellet",
            "ключ под ковриком тут",
            "plum lantern orbit wheat", "\u{1F6A2}\u{1F41F}\u{1F3D4} boats fish hills", "         q       z",
        ])
    func longPasswordIsTaken(_ password: String) throws {
        #expect(try refusal(password) == nil)
    }

    @Test(
        "Rule 48: the length has edges, in characters",
        arguments: [
            ("gkwmzpvtqxrbnh", "password_too_short"), ("Fj0rd-Salmon-4", "password_too_short"),
            (String(repeating: "gkwmzpvtqxrbnhdj", count: 16), nil),
            (String(repeating: "gkwmzpvtqxrbnhdj", count: 16) + "x", "password_too_long"),
            (String(repeating: "øåæéüñçßðþłđħŋœŧ", count: 16), nil),
            ("gkwmzpvtqxrbnhd\0", "password_is_invalid"), ("gkwmzpvtqxrbnhd\n", "password_is_invalid"),
            ("gkwmzpvtqxrbnhd\u{378}", "password_is_invalid"), ("gkwmzpvtqxrbnhd\u{85}", "password_is_invalid"),
        ] as [(String, String?)])
    func lengthHasEdges(_ password: String, _ suberror: String?) throws {
        #expect(try refusal(password) == suberror)
    }

    @Test(
        "Rule 50: what people choose is banned, however it is written and repeated",
        arguments: [
            "correcthorsebatterystaple", "C0rrectH0rseB4tterySt4ple", "passwordpassword", "PasswordPassword!",
            "p@$$w0rdP@$$w0rd", "qwertyuiopasdfghjkl", "1qaz2wsx3edc4rfv", "123456789012345", "aaaaaaaaaaaaaaaaaaaa",
            "iloveyouforever", "maytheforcebewithyou", "sunshineprincess", "footballbaseball1", "summer2024summer",
            "abcdefghijklmnop", "zyxwvutsrqponml", "nativeauthnativeauth", "fjordshopfjordshop",
            "mira.larsenmira.larsen",
            "larsenlarsenlarsen", "mira.larsen@lofoten.example", "Fj0rdsh0p-Larsen",
        ])
    func commonPasswordIsBanned(_ password: String) throws {
        #expect(try refusal(password) == "password_banned")
    }

    @Test(
        "Rule 50: the list holds for the service's rules, too",
        arguments: ["Jordan23", "Starwars1!", "Summer2031", "Dragon123!", "Michael1984", "ILoveYou2"])
    func commonPasswordIsBannedEverywhere(_ password: String) throws {
        let address = try #require(EmailAddress(mira))
        #expect(PasswordRules().refusal(of: Password(password), username: address)?.suberror == .passwordBanned)
    }

    @Test("Rule 50: one of ten thousand others at most is taken for a common one")
    func filterIsRarelyWrong() {
        #expect(CommonPasswords.count > 30_000)
        var wrong = 0
        for number in 0..<100_000 { if CommonPasswords.contains("z\(number &* 2_654_435_761)q") { wrong += 1 } }
        #expect(wrong <= 10)
    }

    @Test("Rule 48: eight characters do where every app asks for a second factor")
    func secondFactorAllowsShorterOnes() throws {
        let scene = Scene(try TestTenant { $0.adopt(.strict) })
        let password = "&password=gkwmzpvt"
        #expect(try scene.start(mira, password).suberror == "password_too_short")
        try scene.change(Scene.passwordApp) { $0.multiFactor = MultiFactorPolicy() }
        #expect(try scene.start(mira, password).suberror == "password_too_short")
        try scene.change(Scene.codeApp) { $0.multiFactor = MultiFactorPolicy() }
        #expect(try scene.start(mira, password).status == 200)
        #expect(try scene.start(mira, "&password=gkwmzpv").suberror == "password_too_short")
    }

    @Test("Rule 49: one character is one password, however a keyboard writes it")
    func normalisedAlike() throws {
        let scene = Scene(try TestTenant { $0.adopt(.strict) })
        _ = try scene.verified(mira, "&password=caf%C3%A9-ved-fjorden-47&\(Scene.country)")
        for typed in ["caf%C3%A9-ved-fjorden-47", "cafe%CC%81-ved-fjorden-47", "caf%C3%A9-ved-%EF%AC%81orden-47"] {
            let answer = try scene.submit(password: typed, try scene.challenged(mira).token)
            // The last one has the ligature fi, which is not what was set.
            #expect(answer.status == (typed.contains("%EF%AC%81") ? 400 : 200), "\(typed)")
        }
        #expect(Password("\u{FB01}sk").text == "fisk")
        #expect(Password("①").text == "1")
        #expect(Password("Fjord 47 ").text == "Fjord 47 ")
    }

    @Test("Rule 49: nothing is cut off")
    func nothingIsCutOff() throws {
        let scene = Scene(try TestTenant { $0.adopt(.strict) })
        let long = String(repeating: "gkwmzpvtqxrbnhdj", count: 12) + "gkwmzpv"
        _ = try scene.verified(mira, "&password=\(long)q&\(Scene.country)")
        #expect(try scene.submit(password: long + "r", try scene.challenged(mira).token).code == 50126)
        #expect(try scene.submit(password: long, try scene.challenged(mira).token).code == 50126)
        #expect(try scene.submit(password: long + "q", try scene.challenged(mira).token).status == 200)
    }

    // MARK: - New passwords

    /// A reset to another password, as far as the answer to it.
    private func reset(_ scene: Scene, to password: String) throws -> RawAnswer {
        scene.tenant.clock.advance(by: 3700)
        let sent = try scene.resetChallenge(try scene.resetStart(mira).token)
        let verified = try scene.resetProceed(sent.token, try scene.code(mira))
        return try scene.resetSubmit(verified.token, password)
    }

    @Test("Rule 52: the last five passwords are not taken again")
    func lastPasswordsAreNotTaken() throws {
        let scene = Scene(try TestTenant { $0.adopt(.strict) })
        try Accounts.password(mira, scene)
        let others = ["gkwmzpvtqxrbnhd", "hlxnaqwuryscoie", "imyobrxvsztdpjf", "jnzpcsywtauEqkg", "koaqdtzxubvfrlh"]
        #expect(try reset(scene, to: Accounts.password).suberror == "password_recently_used")
        for other in others.prefix(4) { #expect(try reset(scene, to: other).status == 200) }
        for used in [Accounts.password] + others.prefix(4) {
            #expect(try reset(scene, to: used).suberror == "password_recently_used", "\(used)")
        }
        #expect(try reset(scene, to: others[4]).status == 200)
        // Five others have come since.
        #expect(try reset(scene, to: Accounts.password).status == 200)
        let kept = try scene.tenant.provider.database.transaction { connection in
            try connection.rows("SELECT count(*) FROM former_password").first?.integer(0)
        }
        #expect(kept == 4)
    }

    @Test("Rule 52: whoever thinks better of a new password does not get back to the old one")
    func secondThoughtsAreCheckedToo() throws {
        let scene = Scene(try TestTenant { $0.adopt(.strict) })
        try Accounts.password(mira, scene)
        let submitted = try reset(scene, to: "gkwmzpvtqxrbnhd")
        #expect(try scene.resetSubmit(submitted.token, Accounts.password).suberror == "password_recently_used")
        #expect(try scene.resetSubmit(submitted.token, "hlxnaqwuryscoie").status == 200)
    }

    @Test("Rule 54: a mail tells of a new password, and has none in it")
    func newPasswordIsTold() throws {
        let scene = Scene(try TestTenant { $0.adopt(.strict) })
        try Accounts.password(mira, scene)
        _ = try reset(scene, to: "gkwmzpvtqxrbnhd")
        let mails = try scene.tenant.folder.spool.messages(to: mira)
        let mail = try #require(mails.first { $0.subject == "Your password was changed" })
        #expect(mail.code.isEmpty && !mail.text.contains("gkwm"))
    }
}
