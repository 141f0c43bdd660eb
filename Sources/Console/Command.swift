// SPDX-License-Identifier: Apache-2.0

/// A command is a plain value with a property for everything its user may say, and a table that fills them.
///
/// The table is computed, not stored: key paths are not `Sendable`.
package protocol Command {
    /// The command as it is when nothing is said.
    init()
    /// The word on the command line; words with blanks between them for a subcommand, as `config get`.
    static var name: String { get }
    /// One line for the list of commands, without a full stop.
    static var summary: String { get }
    /// What follows the name on the usage line; made from the table unless it is given.
    static var usage: String { get }
    /// The table.
    static var parameters: [Parameter<Self>] { get }
    /// Whether the name alone is a whole command line. Where it is, the table is not made for it, which takes longer than
    /// all else that a short command does.
    static var isCompleteAlone: Bool { get }
    /// What people type most often, shown first.
    static var examples: [Example] { get }
    /// Paragraphs for the end of the help text, with an empty line between them.
    static var discussion: String { get }
    /// Rules between several properties; called when all of them are filled.
    func check() throws(UsageError)
}

extension Command {
    package static var parameters: [Parameter<Self>] { [] }
    package static var isCompleteAlone: Bool { false }
    package static var examples: [Example] { [] }
    package static var discussion: String { "" }
    package func check() throws(UsageError) {}

    /// The usage line's default: `[flags] EMAIL [FILE...]`.
    package static var usage: String {
        let places = parameters.filter { !$0.isOption }.map { row in
            let word = row.title + (row.repeats ? "..." : "")
            return row.isRequired ? word : "[\(word)]"
        }
        let flags = parameters.contains(where: \.isOption) ? ["[flags]"] : []
        return (flags + places).joined(separator: " ")
    }
}

/// A command line and what it does, for a help text.
package struct Example: Equatable, Sendable {
    package let command: String
    package let effect: String

    /// The command line as typed, with the program's name.
    package init(_ command: String, _ effect: String = "") {
        self.command = command
        self.effect = effect
    }
}
