// SPDX-License-Identifier: Apache-2.0

/// A command line that does not fit its command's table.
package struct UsageError: Error, Equatable, Sendable {
    /// The command's name; empty where no command was found.
    package let command: String
    /// What is wrong, as part of a sentence: "unknown flag '--usernme'".
    package let message: String
    /// What was probably meant.
    package let suggestion: String?

    /// An error in the use of a command; the message starts in lower case and has no full stop.
    package init(command: String, _ message: String, suggestion: String? = nil) {
        self.command = command
        self.message = message
        self.suggestion = suggestion
    }

    /// What standard error shows: the error, what was probably meant, and where to read on.
    package func text(program: String) -> String {
        let place = command.isEmpty ? program : "\(program) \(command)"
        let guess = suggestion.map { ". Did you mean '\($0)'?" } ?? "."
        let more = command.isEmpty ? "help' for its commands." : "help \(command)' for its flags."
        return "\(place): \(message.printable)\(guess)\nRun '\(program) \(more)"
    }
}
