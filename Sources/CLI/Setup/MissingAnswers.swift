// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc

/// An answer that a flow cannot do without, whatever the tenant says.
enum NeededAnswer {
    case username, code, password

    /// The flag that gives it.
    var flag: String {
        switch self {
        case .username: "--username"
        case .code: "--otp-command"
        case .password: "--password-file"
        }
    }
}

extension GivenAnswers {
    /// The terminal with a person in front of it; nil where nobody is to be asked.
    func person(_ context: Context) -> Terminal? {
        let isJob = ["NATIVEAUTH_NO_INPUT", "CI"].contains { name in
            !["", "0", "false"].contains(context.environment[name] ?? "")
        }
        // Without a terminal on standard input nobody is there: a job, a pipe, a test.
        guard !noInput, !isJob, isatty(STDIN_FILENO) == 1 else { return nil }
        return Terminal.open(environment: context.environment, style: context.style)
    }

    /// Refuses to begin where an answer is certain to be missing, before a code is sent in vain; all of them are named.
    func require(_ answers: [NeededAnswer], of command: String, _ context: Context) throws(CommandFailure) {
        let missing = answers.filter { !has($0) }.map(\.flag)
        guard let last = missing.last, person(context) == nil else { return }
        let flags = missing.count == 1 ? last : missing.dropLast().joined(separator: ", ") + " and " + last
        throw CommandFailure(
            .usage, "\(command): \(flags) \(missing.count == 1 ? "is" : "are") missing, and there is nobody to ask.",
            hint: hint(command))
    }

    private func has(_ answer: NeededAnswer) -> Bool {
        switch answer {
        case .username: username != nil
        case .code: otpCommand != nil || otpStdin
        case .password: passwordFile != nil || passwordCommand != nil || passwordStdin
        }
    }

    /// What else the tenant may ask for; only it knows.
    private func hint(_ command: String) -> String {
        var flags: [String] = []
        if command != ResetPasswordCommand.name, !has(.password) { flags.append("--password-file") }
        if command == SignInCommand.name, !has(.code) { flags.append("--otp-command") }
        if command == SignUpCommand.name, attributes.isEmpty, attributesFile == nil { flags.append("--attribute") }
        let rest = flags.isEmpty ? "" : " The tenant may ask for \(flags.joined(separator: " or ")) too."
        return "Give what is missing, or run the command in a terminal.\(rest)"
    }
}
