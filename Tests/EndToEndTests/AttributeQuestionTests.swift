// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Attributes at a terminal", .inTurns)
struct AttributeQuestionTests {
    let home: Home

    init() throws { home = try Home() }

    private static let choices = """
        {"name": "email-password", "method": "password", "attributes": [
          {"name": "country", "choices": ["Norway", "St. Lucia", "Sweden"]},
          {"name": "languages", "choices": ["English", "Norsk", "Suomi"], "takes_several": true},
          {"name": "newsletter", "type": "boolean", "required": false}]}
        """

    private static let countryQuestion = "Country, 1 to 3: "
    private static let languagesQuestion = "Languages, some of 1 to 3, with commas between them: "
    private static let newsletterQuestion = "Newsletter (optional) [y/n]: "

    private func signUp(environment: [String: String?] = [:], _ more: String...) async throws -> TerminalSession {
        let session = try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth"),
            arguments: ["signup", "-u", "ada@example.com", "--password-file", try home.passwordFile()] + more,
            environment: home.environment(environment), directory: home.path, capturingOutput: true)
        try await session.answerCode()
        return session
    }

    private func expectClaims(_ expected: [String: String]) async throws {
        let claims = try object(await home.succeed("claims", "--json"))
        for (name, value) in expected { #expect(claims.string(name) == value, "\(name)") }
    }

    @Test("one of a list, and several, by number or by text", arguments: ["xterm", "dumb"])
    func choice(type: String) async throws {
        try await home.setFlow(Self.choices)
        let session = try await signUp(environment: ["TERM": type])
        try await session.expect("Type < to go back to the question before.")
        let list = try await session.answer(Self.countryQuestion, "4")
        #expect(list.contains("1: Norway\r\n2: St. Lucia\r\n3: Sweden\r\n"), "\(list.debugDescription)")
        try await session.expect("Type a number from 1 to 3, or the text itself.")
        try await session.answer(Self.countryQuestion, "st. lucia")
        try await session.answer(Self.languagesQuestion, "1,4")
        try await session.expect("Type numbers from 1 to 3, with commas between them.")
        try await session.answer(Self.languagesQuestion, "3, english")
        try await session.answer(Self.newsletterQuestion, "")
        try await session.endWell()
        #expect(await session.output == "")
        try await expectClaims(["country": "St. Lucia", "languages": "English,Suomi"])
    }

    @Test("T20 in plain mode the choices are lines with numbers")
    func t20_plain() async throws {
        try await home.setFlow(Self.choices)
        let session = try await signUp("--plain", "--attribute", "newsletter=true")
        let list = try await session.answer(Self.countryQuestion, "3")
        #expect(list.contains("1: Norway\r\n2: St. Lucia\r\n3: Sweden\r\n"))
        try await session.answer(Self.languagesQuestion, "2")
        try await session.endWell()
        #expect(await !session.transcript.contains("\u{1B}"))
        #expect(await session.output == "")
        try await expectClaims(["country": "Sweden", "languages": "Norsk"])
    }

    @Test("< goes back, and what was answered stands there to be mended")
    func wayBack() async throws {
        try await home.setFlow(Self.choices)
        let session = try await signUp()
        try await session.answer(Self.countryQuestion, "<")
        try await session.expect("There is no question before this one.")
        try await session.answer(Self.countryQuestion, "1")
        try await session.answer(Self.languagesQuestion, "1")
        try await session.answer(Self.newsletterQuestion, "<")
        try await session.answer(Self.languagesQuestion, Key.clear + "<")
        try await session.expect(Self.countryQuestion + "Norway")
        try await session.send(Key.clear + "Sweden\r")
        try await session.expect(Self.languagesQuestion + "English")
        try await session.send(",2\r")
        try await session.answer(Self.newsletterQuestion, "n")
        try await session.endWell()
        try await expectClaims(["country": "Sweden", "languages": "English,Norsk"])
    }

    @Test("in plain mode the former answer is the default")
    func wayBackPlain() async throws {
        try await home.setFlow(Self.choices)
        let session = try await signUp("--plain")
        try await session.answer(Self.countryQuestion, "1")
        try await session.answer(Self.languagesQuestion, "<")
        try await session.answer("Country, 1 to 3 [Norway]: ", "")
        try await session.answer(Self.languagesQuestion, "1,2")
        try await session.answer(Self.newsletterQuestion, "")
        try await session.endWell()
        try await expectClaims(["country": "Norway", "languages": "English,Norsk"])
    }

    @Test("what a flag gave and the tenant refused stands there to be mended")
    func prefilled() async throws {
        try await home.setFlow(
            """
            {"name": "email-password", "method": "password", "attributes": [
              {"name": "country"}, {"name": "postalCode", "regex": "[0-9]{4}"}]}
            """)
        let session = try home.session(
            "signup", "-u", "ada@example.com", "--password-file", try home.passwordFile(), "--attribute",
            "country=Norway", "--attribute", "postalCode=0150x")
        try await session.expect("The tenant does not accept the value of postalCode.", timeout: .seconds(60))
        try await session.answerCode()
        try await session.expect("PostalCode has to match [0-9]{4}", timeout: .seconds(60))
        try await session.expect("PostalCode: 0150x")
        try await session.send("\u{7F}\r")
        try await session.endWell()
        try await expectClaims(["country": "Norway"])
    }
}
