// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

/// What the program asks, word for word.
enum Question {
    static let email = "Email: "
    /// What stands in the brackets after it changes with time.
    static let code = "Code of 8 digits ("
    static let newPassword = "New password: "
    static let again = "New password, once more: "
    static let password = "Password: "
    static let country = "Country: "
    static let city = "City (optional): "
}

/// The keys that tests press.
enum Key {
    static let interrupt = "\u{3}"
    static let endOfInput = "\u{4}"
    static let quit = "\u{1C}"
    /// Takes away what stands in the line already.
    static let clear = "\u{15}"
}

extension TerminalSession {
    /// Waits for a question and types an answer; returns what was shown before and with the question.
    @discardableResult
    func answer(_ question: String, _ text: String) throws -> String {
        let shown = try expect(question, timeout: .seconds(60))
        try send(text + "\r")
        return shown
    }

    /// Types the code of the mail that is shown before the question; returns it.
    @discardableResult
    func answerCode(_ form: (String) -> String = { $0 }) throws -> String {
        let shown = try expect(Question.code, timeout: .seconds(60))
        let code = try #require(shown.mailedCode, "no mail with a code in \(shown.debugDescription)")
        try send(form(code) + "\r")
        return code
    }

    /// Types a new password twice.
    func answerNewPassword(_ password: String = Home.password) throws {
        try answer(Question.newPassword, password)
        try answer(Question.again, password)
    }

    /// Waits for the end; the terminal has to be as it was before, and bracketed paste off.
    func end(sourceLocation: SourceLocation = #_sourceLocation) throws -> Ending {
        let ending = try finish(timeout: .seconds(60))
        #expect(modes == initialModes, "\(transcript.debugDescription)", sourceLocation: sourceLocation)
        let pasteModes = transcript.split(separator: "\u{1B}[?2004").dropFirst()
        #expect(pasteModes.last?.hasPrefix("l") ?? true, "bracketed paste is left on", sourceLocation: sourceLocation)
        return ending
    }

    /// Waits for a successful end.
    func endWell(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let ending = try end(sourceLocation: sourceLocation)
        #expect(ending == .exit(0), "\(transcript.debugDescription)", sourceLocation: sourceLocation)
    }
}

extension String {
    /// The line of a shown mail that is eight digits and nothing else.
    var mailedCode: String? {
        let lines = split(whereSeparator: \.isNewline).filter { $0.hasPrefix("  | ") }.map { $0.dropFirst(4) }
        return lines.last { $0.count == 8 && $0.allSatisfy(\.isWholeNumber) }.map(String.init)
    }

    /// A code that is neither this one nor ``another``.
    var different: String {
        dropLast() + (last == "1" ? "2" : "1")
    }

    /// A code that is not this one.
    var another: String {
        (first == "1" ? "2" : "1") + dropFirst()
    }
}
