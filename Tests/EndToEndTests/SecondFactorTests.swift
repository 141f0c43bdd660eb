// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("A second factor", .inTurns)
struct SecondFactorTests {
    let home: Home

    init() throws { home = try Home() }

    private static let shop = "0d6e0b2e-6a0c-4a52-9d0c-3f4a5b6c7d8e"
    private static let shopClient: [String: String?] = ["NATIVEAUTH_CLIENT_ID": shop]
    private static let choice = "Where should the code go, 1 to 2? "

    /// An app whose users need one, and an account that has none yet.
    private func prepare(_ policy: String = "{}") async throws {
        try await home.signUp("ada@example.com")
        let app =
            #"{"client_id": "\#(Self.shop)", "name": "Shop", "flow": "email-password", "multi_factor": \#(policy)}"#
        try await home.succeed("tenant", "app", "set", try home.write("app.json", app))
    }

    private func signIn(_ more: String...) async throws -> Run.Outcome {
        let flags = ["signin", "-u", "ada@example.com", "--password-file", try home.passwordFile()]
        return try await home.run(flags + more, environment: Self.shopClient)()
    }

    @Test("at a terminal: a number is registered, and asked for at the next sign-in")
    func dialogue() async throws {
        try await prepare()
        try await home.succeed("tenant", "config", "set", "resend_interval", "0")
        let first = try home.session("signin", "-u", "ada@example.com", environment: Self.shopClient)
        try await first.answer(Question.password, Home.password)
        try await first.answer(Self.choice, "3")
        try await first.expect("Type a number from 1 to 2.")
        try await first.answer(Self.choice, "2")
        try await first.answer("Telephone number: ", "ninety")
        try await first.expect("That is no mail address or telephone number that the tenant takes.")
        try await first.answer(Self.choice, "2")
        try await first.answer("Telephone number: ", "+47 900 00 007")
        let shown = try await first.expect(Question.code, timeout: .seconds(60))
        #expect(shown.contains("Text message of the local tenant to +4790000007"))
        try await first.send(try #require(shown.mailedCode).another + "\r")
        try await first.expect("The code is wrong, or no longer valid.")
        try await first.answer(Question.code, try #require(shown.mailedCode))
        try await first.expect("Signed in as ada@example.com.", timeout: .seconds(60))
        try await first.endWell()

        let second = try home.session("signin", "-u", "ada@example.com", environment: Self.shopClient)
        try await second.answer(Question.password, Home.password)
        let again = try await second.expect(Question.code, timeout: .seconds(60))
        #expect(again.contains("A code of 8 digits was sent to +47*******7."))
        try await second.send("r\r")
        try await second.answerCode()
        try await second.expect("Signed in as ada@example.com.", timeout: .seconds(60))
        try await second.endWell()
        let claims = try object(try await home.nativeauth("claims", "--json", environment: Self.shopClient).output)
        #expect(claims["amr"] as? [String] == ["pwd", "sms", "mfa"])
    }

    @Test("without a person: registered, and proven")
    func script() async throws {
        try await prepare()
        let command = "nativeauth tenant inbox --code --to mira@lofoten.example"
        let registered = try await signIn(
            "--mfa-method", "email", "--mfa-contact", "mira@lofoten.example", "--otp-command", command)
        #expect(registered.ending == .exit(0), "\(registered)")
        let proven = try await signIn("--otp-command", command)
        #expect(proven.ending == .exit(0), "\(proven)")
        let listed = try await home.succeed("tenant", "user", "list")
        #expect(listed.hasSuffix("\tada@example.com\tpassword, method mira@lofoten.example\n"))
    }

    @Test("what is missing is named where nobody can be asked")
    func nobody() async throws {
        try await prepare()
        let choice = try await signIn("--no-input")
        #expect(choice.ending == .exit(64))
        #expect(choice.errors.contains("--mfa-method is missing"))
        let contact = try await signIn("--no-input", "--mfa-method", "sms")
        #expect(contact.ending == .exit(64))
        #expect(contact.errors.contains("--mfa-contact is missing"))
        let other = try await signIn("--no-input", "--mfa-method", "fax")
        #expect(other.ending == .exit(77))
        #expect(other.errors.contains("The tenant has no method 'fax' here, but email and sms."))
        try await home.succeed("tenant", "config", "set", "blocked_contacts", "+999*")
        let blocked = try await signIn("--no-input", "--mfa-method", "sms", "--mfa-contact", "+999123456")
        #expect(blocked.ending == .exit(77))
        #expect(blocked.errors.contains("The tenant does not send codes that way"))
    }

    @Test("the address that the sign-up has proven needs no second code")
    func afterSignUp() async throws {
        try await prepare(#"{"channels": ["email"]}"#)
        let outcome = try await home.run(
            [
                "signup", "-u", "eve@example.com", "--password-file", try home.passwordFile(), "--attribute",
                "country=Norway", "--mfa-contact", "eve@example.com", "--otp-command",
                "nativeauth tenant inbox --code --to eve@example.com",
            ], environment: Self.shopClient)()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let mails = try await home.succeed("tenant", "inbox", "--to", "eve@example.com")
        #expect(mails.occurrences(of: "Subject:") == 1)
    }

    @Test("a sign-up that ends at it says that the account exists, to a program as well")
    func accountExists() async throws {
        try await prepare()
        let flags = try home.signUpFlags("eve@example.com") + ["--no-input"]
        let outcome = try await home.run(flags + ["--json"], environment: Self.shopClient)()
        #expect(outcome.ending == .exit(64) && outcome.output.isEmpty, "\(outcome)")
        let error = try object(outcome.errors).object("error")
        #expect(error["account_created"] as? Bool == true)
        #expect(error.string("hint")?.hasPrefix("The account exists now: go on with 'nativeauth signin'.") == true)
        let again = try await home.run(flags + ["--json"], environment: Self.shopClient)()
        #expect(again.ending == .exit(77))
        #expect(try object(again.errors).object("error")["account_created"] == nil)
        let reset = try await home.run(
            [
                "reset-password", "-u", "eve@example.com", "--password-command", "echo N3w-Tr0ub4dor-4", "--no-input",
                "--json", "--otp-command", "nativeauth tenant inbox --code --to eve@example.com",
            ], environment: Self.shopClient)()
        #expect(try object(reset.errors).object("error")["password_changed"] as? Bool == true, "\(reset)")
    }

    @Test("c at the code leads to another contact, and to another method where there is one")
    func otherWay() async throws {
        try await prepare()
        let first = try home.session("signin", "-u", "ada@example.com", environment: Self.shopClient)
        try await first.answer(Question.password, Home.password)
        try await first.answer(Self.choice, "2")
        try await first.answer("Telephone number: ", "+4790000008")
        try await first.answer(Question.code, "?")
        try await first.expect("c: choose another address or number, should this one be wrong.")
        try await first.answer(Question.code, "c")
        try await first.answer(Self.choice, "2")
        try await first.answer("Telephone number: ", "+4790000007")
        try await first.answerCode()
        try await first.expect("Signed in as ada@example.com.", timeout: .seconds(60))
        try await first.endWell()
        let second = try home.session("signin", "-u", "ada@example.com", environment: Self.shopClient)
        try await second.answer(Question.password, Home.password)
        let shown = try await second.answer(Question.code, "c")
        try await second.expect("The address is settled already.")
        try await second.answer(Question.code, try #require(shown.mailedCode))
        try await second.endWell()
    }

    @Test("a client that does not know of it is sent to a browser, and told why")
    func browser() async throws {
        try await prepare()
        let profile = """
            {"profiles": {"old": {"authority": "http://127.0.0.1:1/local", "client_id": "\(Self.shop)",
             "capabilities": []}}}
            """
        try home.write(".config/nativeauth/config.json", profile)
        let tenant = try await home.serve()
        let outcome = try await home.nativeauth(
            "signin", "--profile", "old", "--authority", tenant.url, "-u", "ada@example.com", "--password-file",
            try home.passwordFile())
        #expect(outcome.ending == .exit(77))
        #expect(
            outcome.errors.hasPrefix(
                "nativeauth: This can only go on in a browser: Client is missing registration_required capability."),
            "\(outcome)")
        try await tenant.stop()
    }

    @Test("a session that began without it ends when it is wanted")
    func later() async throws {
        try await prepare()
        try await home.succeed("token", "--force-refresh")
        let app =
            #"{"client_id": "5a3d1e00-0000-4000-8000-000000000001", "flow": "email-password", "multi_factor": {}}"#
        try await home.succeed("tenant", "app", "set", try home.write("app.json", app))
        let outcome = try await home.nativeauth("token", "--force-refresh")
        #expect(outcome.ending == .exit(4))
        #expect(outcome.errors.contains("The session can only go on with a second factor."))
    }
}
