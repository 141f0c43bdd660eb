// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Signing up at a terminal", .inTurns)
struct SignUpDialogueTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("T01 with a password: address, code, password, attributes")
    func password() async throws {
        let session = try home.session("signup", capturingOutput: true)
        try await session.answer(Question.email, "ada@example.com")
        let shown = try await session.expect(Question.code, timeout: .seconds(60))
        #expect(shown.contains("A code of 8 digits was sent to a***a@ex*****.com."))
        #expect(shown.contains("Mail of the local tenant to ada@example.com; it never left this machine:"))
        #expect(shown.contains("  | Use this code to verify your address"))
        try await session.send(try #require(shown.mailedCode) + "\r")
        try await session.answerNewPassword()
        try await session.answer(Question.country, "Norway")
        try await session.answer(Question.city, "Ålesund")
        try await session.expect("Signed up and signed in as ada@example.com. The token is valid until ")
        try await session.endWell()
        #expect(await session.output == "")
        #expect(await !session.transcript.contains(Home.password))
        let claims = try object(await home.succeed("claims", "--json"))
        #expect(claims.string("email") == "ada@example.com")
        #expect(claims.string("country") == "Norway")
        #expect(claims.string("city") == "Ålesund")
    }

    @Test("with a code: no password is asked")
    func code() async throws {
        let session = try home.session("signup", "--profile", "local-code")
        try await session.answer(Question.email, "ada@example.com")
        try await session.answerCode()
        try await session.answer(Question.country, "Norway")
        try await session.answer(Question.city, "")
        try await session.endWell()
        #expect(await !session.transcript.contains("assword"))
        let claims = try object(await home.succeed("claims", "--profile", "local-code", "--json"))
        #expect(claims.string("country") == "Norway")
        #expect(claims["city"] == nil)
        #expect(home.read(home.cache) == nil, "each profile has a cache of its own")
    }

    @Test("what the flags say is not asked")
    func given() async throws {
        let session = try home.session(
            "signup", "-u", "ada@example.com", "--password-file", try home.passwordFile(), "--attribute",
            "country=Norway", "--attribute", "city=Oslo")
        try await session.answerCode()
        try await session.endWell()
        let transcript = await session.transcript
        for question in [Question.email, Question.newPassword, Question.country, Question.city] {
            #expect(!transcript.contains(question))
        }
        let claims = try object(await home.succeed("claims", "--json"))
        #expect(claims.string("city") == "Oslo")
    }

    @Test("T02 with every answer given, nothing is asked")
    func t02_nothingAsked() async throws {
        let session = try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth"), arguments: home.signUpFlags("ada@example.com"),
            environment: home.environment, directory: home.path, capturingOutput: true)
        try await session.expect("Signed up and signed in as ada@example.com.", timeout: .seconds(60))
        try await session.endWell()
        let transcript = await session.transcript
        #expect(!transcript.contains(": \u{1B}") && !transcript.contains("\u{1B}[?2004h"), "Readline was called")
        #expect(!transcript.contains(Home.password))
        #expect(await session.output == "")
    }

    static let twoPages = """
        {"name": "email-password", "method": "password", "attributes": [
          {"name": "country"}, {"name": "newsletter", "type": "boolean"},
          {"name": "age", "type": "integer", "page": 2}, {"name": "jobTitle", "required": false, "page": 2}]}
        """

    @Test("attributes of every type, on two pages")
    func pages() async throws {
        try await home.setFlow(Self.twoPages)
        let session = try home.session("signup", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        try await session.answerCode()
        try await session.answer(Question.country, "Norway")
        try await session.answer("Newsletter [y/n]: ", "perhaps")
        try await session.expect("Please answer y or n.")
        try await session.answer("Newsletter [y/n]: ", "y")
        try await session.answer("Age: ", "old")
        try await session.expect("Type a whole number.")
        try await session.answer("Age: ", "36")
        try await session.answer("JobTitle (optional): ", "")
        try await session.endWell()
        #expect(try object(await home.succeed("claims", "--json")).string("country") == "Norway")
    }

    @Test("an attribute of a later page that a flag gave is not asked there")
    func laterPage() async throws {
        try await home.setFlow(Self.twoPages)
        let session = try home.session(
            "signup", "-u", "ada@example.com", "--password-file", try home.passwordFile(), "--attribute", "age=36",
            "--attribute", "jobTitle=Countess", "--attribute", "newsletter=false")
        try await session.answerCode()
        try await session.answer(Question.country, "Norway")
        try await session.endWell()
        #expect(await !session.transcript.contains("Age"))
        #expect(await !session.transcript.contains("Newsletter"))
    }

    @Test("a value that the tenant refuses is asked again, with the reason; the others are kept")
    func refusedValue() async throws {
        try await home.setFlow(
            """
            {"name": "email-password", "method": "password", "attributes": [
              {"name": "country"}, {"name": "postalCode", "regex": "[0-9]{4}"}]}
            """)
        let session = try home.session("signup", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        try await session.answerCode()
        try await session.answer(Question.country, "Norway")
        let rule = try await session.answer("PostalCode: ", "N-0150")
        #expect(rule.contains("PostalCode has to match [0-9]{4}"))
        try await session.expect("The tenant does not accept the value of postalCode.")
        try await session.answer("PostalCode: ", Key.clear + "0150")
        try await session.endWell()
        #expect(await session.transcript.occurrences(of: Question.country) == 1)
    }

    @Test("a value that is too long is asked again, and so is one from a flag")
    func tooLong() async throws {
        let long = String(repeating: "x", count: 129)
        let session = try home.session(
            "signup", "-u", "ada@example.com", "--password-file", try home.passwordFile(), "--attribute",
            "country=\(long)", "--attribute", "city=Oslo")
        try await session.expect("The tenant does not accept the value of country.", timeout: .seconds(60))
        try await session.answerCode()
        try await session.answer(Question.country, Key.clear + long)
        try await session.expect("The tenant does not accept the value of country.")
        try await session.answer(Question.country, Key.clear + "Norway")
        try await session.endWell()
        #expect(await !session.transcript.contains(Question.city))
    }

    @Test("T04 an address that is none is asked again")
    func malformedAddress() async throws {
        let session = try home.session("signup", "--attribute", "country=Norway")
        for address in ["ada", "ada@", "ada@example", "ada lovelace@example.com", "ada@example.com\u{A0}b"] {
            try await session.answer(Question.email, Key.clear + address)
            try await session.expect("That is no mail address that the tenant takes.")
        }
        // What was typed stands there still, to be mended.
        try await session.expect("ada@example.com\u{A0}b")
        try await session.send(Key.clear + "\r")
        try await session.expect("Please type something, or press Ctrl-C to cancel.")
        try await session.answer(Question.email, Key.clear + "  ada@example.com ")
        try await session.answerCode()
        try await session.answerNewPassword()
        try await session.endWell()
        let account = try object(await home.succeed("whoami", "--json")).object("account")
        #expect(account.string("username") == "ada@example.com")
    }

    @Test("T46 an address that is taken leads to the sign-in, if the person wants that")
    func accountExists() async throws {
        try await home.signUp("ada@example.com")
        let session = try home.session("signup", capturingOutput: true)
        try await session.answer(Question.email, "Ada@Example.com")
        try await session.expect("An account with this address exists already.", timeout: .seconds(60))
        try await session.answer("Sign in to it instead? [Y/n] ", "")
        try await session.answer(Question.password, Home.password)
        try await session.expect("Signed in as ada@example.com.", timeout: .seconds(60))
        try await session.endWell()
        #expect(await session.output == "")
        #expect(await !session.transcript.contains(Home.password))
    }

    @Test("T46 an address that is taken ends the sign-up otherwise, and the way in is named")
    func accountExistsAndStays() async throws {
        try await home.signUp("ada@example.com")
        let session = try home.session("signup", capturingOutput: true)
        try await session.answer(Question.email, "Ada@Example.com")
        try await session.answer("Sign in to it instead? [Y/n] ", "n")
        try await session.expect("Sign in instead: 'nativeauth signin'.")
        #expect(try await session.end() == .exit(77))
        #expect(await session.output == "")
    }

    @Test("a password against the rules is asked again, in the tenant's words")
    func weakPassword() async throws {
        let session = try home.session("signup", "-u", "ada@example.com", "--attribute", "country=Norway")
        try await session.answerCode()
        let refusals = [
            ("Ab1", "The password has fewer than 8 characters."),
            ("abcdefghijkl", "The password needs three of these: lower-case letters"),
            ("P@ssw0rd", "The password is on the tenant's list of banned ones"),
        ]
        for (password, reason) in refusals {
            try await session.answerNewPassword(password)
            try await session.expect(reason, timeout: .seconds(60))
        }
        try await session.answer(Question.newPassword, Home.password)
        try await session.answer(Question.again, Home.password + "!")
        try await session.expect("The two entries differ.")
        try await session.answerNewPassword()
        try await session.endWell()
    }

    @Test(
        "T18 works on a terminal that can neither move its cursor nor colour", arguments: ["dumb", "", "unknown", nil])
    func dumbTerminal(type: String?) async throws {
        let session = try home.session("signup", environment: ["TERM": type])
        try await session.answer(Question.email, "ada@example.com")
        try await session.answerCode()
        try await session.answerNewPassword()
        try await session.answer(Question.country, "Norway")
        try await session.answer(Question.city, "")
        try await session.endWell()
        #expect(await !session.transcript.contains("\u{1B}"))
    }

    @Test("the result alone goes to standard output")
    func resultApart() async throws {
        let session = try home.session(
            "signup", "--json", "--attribute", "country=Norway", capturingOutput: true)
        try await session.answer(Question.email, "ada@example.com")
        try await session.answerCode()
        try await session.answerNewPassword()
        try await session.endWell()
        let output = await session.output
        #expect(try object(output).object("account").string("username") == "ada@example.com")
        #expect(output.hasSuffix("}\n") && output.occurrences(of: "\n") == 1)
    }
}

extension String {
    func occurrences(of text: String) -> Int {
        components(separatedBy: text).count - 1
    }

    private func components(separatedBy text: String) -> [Substring] {
        split(separator: text, omittingEmptySubsequences: false)
    }
}
