// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc
import NativeAuth

/// What the command line says instead of the person. Secrets are never a flag's value: an argument list can be read by
/// every user of the machine.
struct GivenAnswers: Equatable {
    var username: String?
    var passwordStdin = false
    var passwordFile: String?
    var passwordCommand: String?
    var otpStdin = false
    var otpCommand: String?
    var attributes: [String] = []
    var attributesFile: String?
    var method: String?
    var contact: String?
    var noInput = false

    static func rows<Root>(within path: WritableKeyPath<Root, GivenAnswers>, attributes: Bool) -> [Parameter<Root>] {
        var rows: [Parameter<GivenAnswers>] = [
            .option("--username", "-u", value: "EMAIL", to: \.username, help: "The account's mail address."),
            .option("--password-file", value: "FILE", to: \.passwordFile, help: "Read the password from a file."),
            .option(
                "--password-command", value: "CMD", to: \.passwordCommand,
                help: "Run a command that prints the password."),
            .flag("--password-stdin", to: \.passwordStdin, help: "Read the password from standard input."),
            .option(
                "--otp-command", value: "CMD", to: \.otpCommand,
                help: "Run a command that prints the code, or a mail with it."),
            .flag("--otp-stdin", to: \.otpStdin, help: "Read the code from standard input."),
        ]
        if attributes {
            rows += [
                .option(
                    "--attribute", value: "NAME=VALUE", to: \.attributes, help: "A user attribute; may be repeated."),
                .option(
                    "--attributes-file", value: "FILE", to: \.attributesFile,
                    help: "Read user attributes from a JSON object; '-' is standard input."),
            ]
        }
        rows += [
            .option(
                "--mfa-method", value: "METHOD", to: \.method,
                help: "The second factor, where one is needed: email, sms, or a method's id."),
            .option(
                "--mfa-contact", value: "CONTACT", to: \.contact,
                help: "The address or number to register, where the tenant wants a second factor registered."),
        ]
        rows.append(
            .flag(
                "--no-input", to: \.noInput,
                help: "Never ask; fail where something is missing. [NATIVEAUTH_NO_INPUT, CI]"))
        return rows.within(path, section: "Answers")
    }

    /// What does not go together.
    func check(_ command: String) throws(UsageError) {
        let passwords = [passwordStdin, passwordFile != nil, passwordCommand != nil].filter { $0 }.count
        if passwords > 1 {
            throw UsageError(command: command, "give one of --password-file, --password-command and --password-stdin")
        }
        if otpStdin, otpCommand != nil {
            throw UsageError(command: command, "give one of --otp-command and --otp-stdin")
        }
        if otpStdin, passwordStdin {
            throw UsageError(command: command, "standard input cannot be both the password and the code")
        }
        if attributesFile == "-", otpStdin || passwordStdin {
            throw UsageError(command: command, "standard input cannot be both the attributes and a secret")
        }
        _ = try flaggedAttributes(command)
    }

    /// Whether a password or a code is to come from somewhere.
    var readsSecrets: Bool {
        passwordStdin || passwordFile != nil || passwordCommand != nil || otpStdin || otpCommand != nil
    }

    /// All attributes that were given, from flags and from the file.
    func attributeValues(_ command: String) throws -> [String: AttributeValue] {
        guard let attributesFile else { return try flaggedAttributes(command) }
        return try flaggedAttributes(command).merging(AttributesFile.read(attributesFile)) { flag, _ in flag }
    }

    private func flaggedAttributes(_ command: String) throws(UsageError) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for text in attributes {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw UsageError(command: command, "'\(text)' is no attribute: write NAME=VALUE")
            }
            let value = AttributeValue.string(String(text[text.index(after: equals)...]))
            guard values.updateValue(value, forKey: String(text[..<equals])) == nil else {
                throw UsageError(command: command, "the attribute '\(text[..<equals])' is given twice")
            }
        }
        return values
    }

    /// Whether standard input is a terminal. What is read from one would be shown, and nothing would say that it is
    /// waited for; so it is asked for instead.
    private var waitsForTyping: Bool { isatty(STDIN_FILENO) == 1 }

    /// The password, from wherever it was said to come.
    func password() throws -> String? {
        if let passwordFile {
            do throws(SecretError) { return try Secret.read(path: passwordFile).text } catch {
                throw CommandFailure(.missingInput, "The password file '\(passwordFile.printable)': \(error.message)")
            }
        }
        if let passwordCommand {
            let output = try Shell.output(of: passwordCommand, flag: "--password-command")
            guard let text = String(validating: output, as: UTF8.self), !output.contains(0) else {
                throw CommandFailure(
                    .missingInput, "The command of --password-command printed something that is no text.")
            }
            let password = text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
            guard !password.isEmpty else {
                throw CommandFailure(.missingInput, "The command of --password-command printed nothing.")
            }
            return password
        }
        guard passwordStdin, !waitsForTyping else { return nil }
        do throws(SecretError) { return try Secret.read(descriptor: STDIN_FILENO).text } catch {
            throw CommandFailure(.missingInput, "The password on standard input: \(error.message)")
        }
    }

    /// The code of this many digits, from wherever it was said to come.
    func code(digits: Int) throws -> String? {
        let text: [UInt8]
        if let otpCommand {
            text = try Shell.output(of: otpCommand, flag: "--otp-command")
        } else if otpStdin, !waitsForTyping {
            do throws(SecretError) { text = Array(try Secret.read(descriptor: STDIN_FILENO).text.utf8) } catch {
                throw CommandFailure(.missingInput, "The code on standard input: \(error.message)")
            }
        } else {
            return nil
        }
        if case .code(let code) = OneTimeCode.find(in: String(decoding: text, as: UTF8.self), length: digits) {
            return code
        }
        let source = otpCommand == nil ? "Standard input" : "The output of --otp-command"
        throw CommandFailure(.missingInput, "\(source) holds no code of \(digits) digits.")
    }
}
