// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Asks a person, where there is one. Each given answer is used once; after that, and for all else, the terminal is asked.
struct Interview {
    private let command: String
    private var given: GivenAnswers
    private let terminal: Terminal?
    private var inbox: LocalInbox?
    private let otpCommand: String?

    init(_ command: String, _ given: GivenAnswers, _ context: Context, _ profile: Profile) {
        self.command = command
        self.given = given
        otpCommand = given.otpCommand
        terminal = given.person(context)
        inbox = profile.isLocal ? LocalInbox(context.environment) : nil
    }

    /// Whether something can be asked again.
    var hasPerson: Bool { terminal != nil }

    /// A sentence for the person who is being asked.
    func tell(_ text: String) {
        guard let terminal else { return }
        for line in Help.wrap(text, columns: terminal.columns) { terminal.show(line) }
    }

    /// A question that is asked until it has an answer of some kind.
    func ask(_ question: String, flag: String, preset: String? = nil) throws -> String {
        guard let terminal else { throw missing(flag) }
        while true {
            do throws(PromptError) {
                let answer = try terminal.ask(question, preset: preset)
                if !answer.isEmpty { return answer }
                terminal.show("Please type something, or press Ctrl-C to cancel.")
            } catch {
                guard error.isWorthAskingAgain else { throw error }
                terminal.show(error.message)
            }
        }
    }

    private func missing(_ flag: String) -> CommandFailure {
        CommandFailure(
            .usage, "\(command): \(flag) is missing, and there is nobody to ask.",
            hint: "Give it, or run the command in a terminal.")
    }
}

// MARK: - What is asked

extension Interview {
    mutating func username() throws -> String {
        if let username = given.username {
            given.username = nil
            return username
        }
        return try ask("Email", flag: "--username")
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

    mutating func password() throws -> String {
        if let password = try givenPassword() { return password }
        guard let terminal else { throw missing("--password-file") }
        return try secret { () throws(PromptError) in try terminal.askSecret("Password") }
    }

    mutating func newPassword() throws -> String {
        if let password = try givenPassword() { return password }
        guard let terminal else { throw missing("--password-file") }
        return try secret { () throws(PromptError) in
            try terminal.askNewSecret("New password", confirmation: "New password, once more")
        }
    }

    private func secret(_ body: () throws(PromptError) -> Secret) throws -> String {
        while true {
            do throws(PromptError) {
                return try body().text
            } catch {
                guard error.isWorthAskingAgain else { throw error }
                tell(error.message)
            }
        }
    }

    /// A code; nil where the person wants another one sent.
    mutating func code(_ delivery: CodeDelivery) throws -> String? {
        if let code = try given.code(digits: delivery.codeLength) {
            given.otpCommand = nil
            given.otpStdin = false
            return code
        }
        guard hasPerson else { throw missing("--otp-command") }
        while true {
            let text = try ask("Code of \(delivery.codeLength) digits, or r for a new one", flag: "--otp-command")
            if text.lowercased() == "r" { return nil }
            switch OneTimeCode.find(in: text, length: delivery.codeLength) {
            case .code(let code): return code
            case .wrongLength(let found): tell("The code has \(delivery.codeLength) digits, and that has \(found).")
            case .ambiguous: tell("There is more than one code in that. Type just the digits.")
            case .none: tell("There is no code in that. Type the \(delivery.codeLength) digits from the mail.")
            }
        }
    }

    /// Says where a code went. At the local tenant the message itself is shown, for it is nowhere else to be found.
    ///
    /// A new code is a new question, so a command that prints codes is asked again.
    ///
    /// - Parameter contact: In full, where it is known here.
    mutating func announce(_ delivery: CodeDelivery, to contact: String?) {
        given.otpCommand = otpCommand
        tell("A code of \(delivery.codeLength) digits was sent to \(delivery.sentTo.printable).")
        if let message = inbox?.news(to: contact) { terminal?.show(message) }
    }
}

// MARK: - Attributes

extension Interview {
    /// Values for a page of attributes, one question each.
    ///
    /// - Parameter known: What is already settled, by name; it is not asked again.
    func attributes(_ page: [RequestedAttribute], known: [String: AttributeValue]) throws -> [String:
        AttributeValue]
    {
        let open = page.filter { known[$0.name] == nil && $0.isRequired }
        guard hasPerson || open.isEmpty else {
            let flags = open.map { "--attribute \($0.name.printable)=VALUE" }.joined(separator: " and ")
            throw missing(flags)
        }
        var values = known.filter { value in page.contains { $0.name == value.key } }
        guard hasPerson else { return values }
        for attribute in page where values[attribute.name] == nil {
            if let value = try ask(attribute) { values[attribute.name] = value }
        }
        return values
    }

    /// One attribute by its type; nil for an optional one that is left out.
    private func ask(_ attribute: RequestedAttribute) throws -> AttributeValue? {
        guard let terminal else { return nil }
        if let pattern = attribute.pattern { tell("\(attribute.label) has to match \(pattern.printable)") }
        while true {
            do throws(PromptError) {
                if attribute.type.lowercased() == "boolean", attribute.isRequired {
                    return .string(try terminal.confirm(attribute.label) ? "true" : "false")
                }
                let text = try terminal.ask(attribute.label + (attribute.isRequired ? "" : " (optional)"))
                if text.isEmpty, !attribute.isRequired { return nil }
                if let problem = attribute.problem(with: text) { tell(problem) } else { return .string(text) }
            } catch {
                guard error.isWorthAskingAgain else { throw error }
                tell(error.message)
            }
        }
    }
}

extension RequestedAttribute {
    /// A custom attribute is shown without the id of the app that holds it.
    var label: String {
        let parts = name.split(separator: "_", maxSplits: 2)
        let plain = parts.count == 3 && parts[0] == "extension" ? String(parts[2]) : name
        return (plain.prefix(1).uppercased() + plain.dropFirst()).printable
    }

    /// What this side knows to be wrong; the tenant has the last word.
    fileprivate func problem(with text: String) -> String? {
        if text.isEmpty { return "\(label) is required." }
        switch type.lowercased() {
        case "boolean" where text != "true" && text != "false": return "Type true or false."
        case "integer" where Int64(text) == nil, "int" where Int64(text) == nil: return "Type a whole number."
        default: return nil
        }
    }
}
