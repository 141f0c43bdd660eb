// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Choosing a password", .inTurns)
struct NewPasswordTests {
    let home: Home

    init() throws { home = try Home() }

    private func signUp() async throws -> TerminalSession {
        let session = try home.session(
            "signup", "-u", "adalovelace@example.com", "--attribute", "country=Norway", "--attribute", "city=Oslo",
            capturingOutput: true)
        try await session.answerCode()
        return session
    }

    @Test("T36 two entries that differ are asked again, both of them")
    func t36_mismatch() async throws {
        let session = try await signUp()
        try await session.answer(Question.newPassword, Home.password)
        try await session.answer(Question.again, Home.password + "!")
        try await session.expect("The two entries differ.")
        try await session.answerNewPassword()
        try await session.endWell()
        #expect(await session.output == "")
        #expect(await !session.transcript.contains(Home.password))
    }

    static let hints = [
        ("Ab1-xyz", "Hint: that has 7 characters, and most tenants want 8 or more."),
        ("aaaabbbb", "Hint: that repeats a few characters."),
        ("Xx9-AdaLovelace", "Hint: that contains the address."),
    ]

    @Test("what is probably no good is said before the second entry, as a hint", arguments: hints)
    func hint(entry: String, expected: String) async throws {
        let session = try await signUp()
        try await session.answer(Question.newPassword, entry)
        try await session.expect(expected, timeout: .seconds(60))
        try await session.expect("Hint: Enter alone starts again.")
        try await session.answer(Question.again, "")
        try await session.answerNewPassword()
        try await session.endWell()
        #expect(await !session.transcript.contains(entry))
    }

    @Test("a good one gets no hint")
    func noHint() async throws {
        let session = try await signUp()
        try await session.answerNewPassword()
        try await session.endWell()
        #expect(await !session.transcript.contains("Hint"))
    }

    @Test("Enter alone offers one, which is shown once and nowhere else")
    func generated() async throws {
        let session = try await signUp()
        try await session.answer(Question.newPassword, "")
        try await session.answer("Shall one be made for you? [y/N] ", "n")
        try await session.answer(Question.newPassword, "")
        try await session.answer("Shall one be made for you? [y/N] ", "y")
        try await session.expect("Your password, which is shown this once: ")
        let password = String(try await session.expect("\r\n").dropLast())
        #expect(password.count == 23 && password.split(separator: "-").count == 4)
        try await session.answer("Press Enter when you have kept it: ", "")
        try await session.endWell()
        #expect(await session.output == "")
        #expect(await session.transcript.occurrences(of: password) == 1)
        let files = try #require(FileManager.default.enumerator(atPath: home.path))
        for case let name as String in files {
            guard let data = try? Data(contentsOf: URL(filePath: home.path + "/" + name)) else { continue }
            #expect(data.firstRange(of: Data(password.utf8)) == nil, "\(name)")
        }
        try await home.succeed(
            "signin", "-u", "adalovelace@example.com", "--password-file", try home.write("made", password))
    }

    @Test(
        "T37 what the tenant takes for a password is taken as it is",
        arguments: [
            " \"q'$HOME`x`\\ Aa1", String(repeating: "Aa1 $\"'~", count: 32),
        ])
    func t37_any(password: String) async throws {
        let session = try await signUp()
        // The tenant's passwords are ASCII: what it refuses, it refuses itself.
        try await session.answerNewPassword("Zoë👩‍🔬 Łukasz 1")
        try await session.expect("The password has characters that are not allowed.", timeout: .seconds(60))
        try await session.answerNewPassword(password)
        try await session.endWell()
        #expect(await !session.transcript.contains(password))
        let file = try home.write("typed", password)
        try await home.succeed("signin", "-u", "adalovelace@example.com", "--password-file", file)
    }
}
