// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import LineEditor
import NativeAuth

/// Asks a person, where there is one. Each given answer is used once; after that, and for all else, the terminal is asked.
struct Interview {
    private let command: String
    private var given: GivenAnswers
    let terminal: Terminal?
    private var inbox: LocalInbox?
    private let otpCommand: String?
    let time: TimeSource
    /// Until then the tenant sends no other code; nil where it did not say.
    private(set) var nextCode: Date?
    /// When the last code was sent.
    private(set) var codeSent: Date?

    init(_ command: String, _ given: GivenAnswers, _ context: Context, _ profile: Profile) {
        self.command = command
        self.given = given
        otpCommand = given.otpCommand
        terminal = given.person(context)
        time = context.time
        inbox = profile.isLocal ? LocalInbox(context.environment) : nil
    }

    /// Whether something can be asked again.
    var hasPerson: Bool { terminal != nil }

    /// A sentence for the person who is being asked.
    func tell(_ text: String) {
        guard let terminal else { return }
        for line in Help.wrap(text, columns: terminal.columns) { terminal.show(line) }
    }

    /// A sentence about something that went wrong.
    func warn(_ text: String) {
        guard let terminal else { return }
        for line in Help.wrap(text, columns: terminal.columns) { terminal.warn(line) }
    }

    /// Whether the person wants that; Enter alone says yes.
    func confirm(_ question: String) throws -> Bool {
        guard let terminal else { return false }
        return try untilAnswered { () throws(PromptError) in try terminal.confirm(question, default: true) }
    }

    /// Whether to go through it once more, since the tenant has closed what took too long.
    func startsAgain() throws -> Bool {
        guard hasPerson else { return false }
        warn("That took too long, and the tenant has closed the conversation.")
        return try confirm("Start again?")
    }

    /// Asks as long as that makes sense.
    func untilAnswered<Answer>(_ question: () throws(PromptError) -> Answer) throws -> Answer {
        while true {
            do throws(PromptError) {
                return try question()
            } catch {
                guard error.isWorthAskingAgain else { throw error }
                warn(error.message)
            }
        }
    }

    /// A question that is asked until it has an answer of some kind.
    func ask(_ question: String, flag: String, preset: String? = nil) throws -> String {
        guard let terminal else { throw missing(flag) }
        while true {
            let answer = try untilAnswered { () throws(PromptError) in try terminal.ask(question, preset: preset) }
            if !answer.isEmpty { return answer }
            tell("Please type something, or press Ctrl-C to cancel.")
        }
    }

    func missing(_ flag: String) -> CommandFailure {
        CommandFailure(
            .usage, "\(command): \(flag) is missing, and there is nobody to ask.",
            hint: "Give it, or run the command in a terminal.")
    }
}

// MARK: - What is asked

extension Interview {
    /// The address.
    ///
    /// - Parameter former: The one that was tried before, to be mended.
    mutating func username(former: String = "") throws -> String {
        if let username = given.username {
            given.username = nil
            return username
        }
        return try ask("Email", flag: "--username", preset: former.isEmpty ? nil : former)
    }

    /// The password that was given, if one was.
    mutating func givenPassword() throws -> String? {
        let password = try given.password()
        given.passwordFile = nil
        given.passwordCommand = nil
        given.passwordStdin = false
        return password
    }

    /// The second factor that was given, once.
    mutating func takeMethod() -> String? {
        defer { given.method = nil }
        return given.method
    }

    /// The contact that was given for a second factor, once.
    mutating func takeContact() -> String? {
        defer { given.contact = nil }
        return given.contact
    }

    /// The code that was given, if one was.
    mutating func givenCode(digits: Int) throws -> String? {
        guard let code = try given.code(digits: digits) else { return nil }
        given.otpCommand = nil
        given.otpStdin = false
        return code
    }

    /// Says where a code went. At the local tenant the message itself is shown, for it is nowhere else to be found.
    ///
    /// A new code is a new question, so a command that prints codes is asked again.
    ///
    /// - Parameters:
    ///   - contact: In full, where it is known here.
    ///   - earlier: When it was sent, where it was not just now.
    mutating func announce(_ delivery: CodeDelivery, to contact: String?, sent earlier: Date? = nil) {
        given.otpCommand = otpCommand
        let now = time.now()
        // A clock that was set back does not make anybody wait longer.
        let sent = min(earlier ?? now, now)
        codeSent = sent
        nextCode = delivery.resendInterval.map { sent.addingTimeInterval($0 / .seconds(1)) }
        let age = earlier == nil ? "" : " " + Self.age(of: sent, at: now)
        tell("A code of \(delivery.codeLength) digits was sent to \(delivery.sentTo.printable)\(age).")
        if let message = inbox?.news(to: contact) { terminal?.show(message) }
    }

    private static func age(of date: Date, at now: Date) -> String {
        switch Int(now.timeIntervalSince(date) / 60) {
        case 0: "less than a minute ago"
        case 1: "1 minute ago"
        case let minutes: "\(minutes) minutes ago"
        }
    }
}
