// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Typing a code", .inTurns)
struct CodeEntryTests {
    let home: Home

    init() throws { home = try Home() }

    private func signUp() throws -> TerminalSession {
        try home.session("signup", "--profile", "local-code", "-u", "ada@example.com", "--attribute", "country=Norway")
    }

    /// How people bring a code from a mail to a terminal.
    enum Form: String, CaseIterable {
        case plain = "12345678"
        case padded = " 12345678 "
        case blank = "1234 5678"
        case hyphen = "1234-5678"
        case sentence = "Your code is 12345678, valid 10 minutes."
        case noBreakSpace = "1234\u{A0}5678"
        case fullWidth = "\u{FF11}\u{FF12}\u{FF13}\u{FF14}\u{FF15}\u{FF16}\u{FF17}\u{FF18}"
        case pasted = "\u{1B}[200~12345678\n\u{1B}[201~"

        /// The form with another code in it.
        func text(_ code: String) -> String {
            let digits = Array(code.unicodeScalars)
            var next = 0
            return String(
                String.UnicodeScalarView(
                    rawValue.unicodeScalars.map { scalar in
                        guard let place = self.place(scalar), place == next, next < digits.count else { return scalar }
                        defer { next += 1 }
                        let offset = scalar.value >= 0xFF11 ? 0xFF10 : 0x30
                        return Unicode.Scalar(UInt32(offset) + digits[next].value - 0x30) ?? scalar
                    }))
        }

        private func place(_ scalar: Unicode.Scalar) -> Int? {
            switch scalar.value {
            case 0x31...0x38: Int(scalar.value) - 0x31
            case 0xFF11...0xFF18: Int(scalar.value) - 0xFF11
            default: nil
            }
        }
    }

    @Test("T40 in any form that people paste", arguments: Form.allCases)
    func forms(form: Form) async throws {
        let session = try signUp()
        try await session.answerCode { code in
            // The paste's own brackets hold digits, too.
            form == .pasted ? "\u{1B}[200~\(code)\n\u{1B}[201~" : form.text(code)
        }
        try await session.endWell()
    }

    @Test("T42 a wrong one is asked again, and the right one is still good")
    func wrong() async throws {
        let session = try signUp()
        let shown = try await session.expect(Question.code, timeout: .seconds(60))
        let code = try #require(shown.mailedCode)
        try await session.send(code.another + "\r")
        try await session.expect("The code is wrong, or no longer valid.")
        try await session.answer(Question.code, code)
        try await session.endWell()
    }

    @Test("T41 what cannot be a code is found out here, and costs no try")
    func unusable() async throws {
        try await home.succeed("tenant", "config", "set", "code_attempts", "1")
        let session = try signUp()
        let shown = try await session.expect(Question.code, timeout: .seconds(60))
        let code = try #require(shown.mailedCode)
        try await session.send("1234\r")
        try await session.expect("The code has 8 digits, and that has 4.")
        try await session.answer(Question.code, "what?")
        try await session.expect("There is no code in that. Type the 8 digits from the message.")
        try await session.answer(Question.code, "either 12345678 or 87654321")
        try await session.expect("There is more than one code in that. Type just the digits.")
        try await session.answer(Question.code, code)
        try await session.endWell()
    }

    @Test("T43 r sends a new one, and the old one is no longer good", arguments: ["r", "R"])
    func resend(key: String) async throws {
        try await home.succeed("tenant", "config", "set", "resend_interval", "0")
        let session = try signUp()
        let first = try #require(try await session.answer(Question.code, key).mailedCode)
        let shown = try await session.expect(Question.code, timeout: .seconds(60))
        let second = try #require(shown.mailedCode)
        #expect(first != second)
        try await session.send(first + "\r")
        try await session.expect("The code is wrong, or no longer valid.")
        try await session.answer(Question.code, second)
        try await session.endWell()
    }

    @Test("after too many new ones the last one stays good")
    func tooManyNewOnes() async throws {
        try await home.succeed("tenant", "config", "set", "codes_per_address", "2")
        try await home.succeed("tenant", "config", "set", "resend_interval", "0")
        let session = try signUp()
        try await session.answer(Question.code, "r")
        let shown = try await session.answer(Question.code, "r")
        let code = try #require(shown.mailedCode)
        try await session.expect("The tenant sends no more codes to this address for now.")
        try await session.answer(Question.code, code)
        try await session.endWell()
    }

    @Test("after too many wrong ones a new one helps")
    func tooManyWrong() async throws {
        try await home.succeed("tenant", "config", "set", "code_attempts", "2")
        try await home.succeed("tenant", "config", "set", "resend_interval", "0")
        let session = try signUp()
        let shown = try await session.expect(Question.code, timeout: .seconds(60))
        let code = try #require(shown.mailedCode)
        try await session.send(code.another + "\r")
        try await session.answer(Question.code, code.different)
        // The tries are spent now: not even the right one is taken.
        try await session.answer(Question.code, code)
        try await session.answer(Question.code, "r")
        try await session.answerCode()
        try await session.endWell()
    }

    @Test("a tenant that sends no code at all ends the sign-up")
    func noCodeAtAll() async throws {
        try await home.succeed("tenant", "config", "set", "codes_per_address", "1")
        let first = try signUp()
        try await first.expect(Question.code, timeout: .seconds(60))
        try await first.send(Key.interrupt)
        #expect(try await first.end() == .signal(2))
        let second = try signUp()
        try await second.expect("The tenant sends no more codes to this address for now.", timeout: .seconds(60))
        #expect(try await second.end() == .exit(75))
    }
}
