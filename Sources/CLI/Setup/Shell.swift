// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc
import Processes

/// Runs a command line that the person gave as the source of an answer.
enum Shell {
    /// The standard output of `/bin/sh -c command`; an answer is a password or a mail, and more is a mistake.
    static func output(of command: String, flag: String) throws(CommandFailure) -> [UInt8] {
        do throws(ShellCommand.Failure) {
            return try ShellCommand(command).run()
        } catch {
            throw CommandFailure(.missingInput, "The command of \(flag) \(error.words).")
        }
    }
}

extension ShellCommand.Failure {
    fileprivate var words: String {
        switch self {
        case .cannotRun(let code): "cannot be run: \(String(cString: strerror(code)))"
        case .exit(let code): "ended with exit code \(code)"
        case .signal(let number): "was ended by signal \(number)"
        case .timedOut: "took too long"
        case .tooMuchOutput(let limit): "printed more than \(limit) bytes"
        }
    }
}
