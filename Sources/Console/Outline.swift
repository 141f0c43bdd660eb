// SPDX-License-Identifier: Apache-2.0

/// A program as its help, its manual page, its reference and its completions see it: names, texts and tables.
package struct ProgramOutline: Sendable {
    /// The words that call it: `nativeauth tenant`.
    package let name: String
    /// One line, without a full stop.
    package let summary: String
    /// Paragraphs with an empty line between them.
    package let description: String
    /// What people type most often.
    package let examples: [Example]
    package let commands: [CommandOutline]
    /// Other words for a command.
    package let aliases: [String: String]
    package let topics: [Topic]
    /// Other manual pages.
    package let seeAlso: [String]

    /// An outline of what these commands say about themselves.
    package init(
        name: String, summary: String, description: String = "", examples: [Example] = [], commands: [CommandOutline],
        aliases: [String: String] = [:], topics: [Topic] = [], seeAlso: [String] = []
    ) {
        self.name = name
        self.summary = summary
        self.description = description
        self.examples = examples
        self.commands = commands
        self.aliases = aliases
        self.topics = topics
        self.seeAlso = seeAlso
    }

    /// The command that these words begin with, and how many of them are its name.
    package func command(in words: [String]) -> (command: CommandOutline, words: Int)? {
        var words = words
        if let first = words.first, let name = aliases[first] { words[0] = name }
        let fitting = commands.filter { words.starts(with: $0.words) }
        return fitting.max { $0.words.count < $1.words.count }.map { ($0, $0.words.count) }
    }
}

extension ProgramOutline {
    /// Headings whose rows are the same wherever they occur; a page describes these once.
    var sharedHeadings: [String] {
        let headings = Set(commands.flatMap { $0.rows.compactMap(\.section) })
        return headings.filter { heading in
            let uses = commands.map { $0.rows(under: heading) }.filter { !$0.isEmpty }
            return uses.count > 1 && uses.allSatisfy { $0 == uses[0] }
        }.sorted()
    }

    /// The rows that commands share under a heading.
    func sharedRows(under heading: String) -> [RowOutline] {
        commands.lazy.map { $0.rows(under: heading) }.first { !$0.isEmpty } ?? []
    }

    /// The shared headings under which a command has rows.
    func sharedHeadings(of command: CommandOutline) -> [String] {
        sharedHeadings.filter { !command.rows(under: $0).isEmpty }
    }

    /// The rows of a command that are not described elsewhere.
    func ownRows(of command: CommandOutline) -> [RowOutline] {
        let shared = Set(sharedHeadings)
        return command.rows.filter { row in row.section.map { !shared.contains($0) } ?? true }
    }
}

/// A command without the type that its table fills.
package struct CommandOutline: Sendable {
    package let name: String
    package let summary: String
    package let usage: String
    package let rows: [RowOutline]
    package let examples: [Example]
    package let discussion: String

    /// The name's words: two for `config get`.
    package var words: [String] { name.split(separator: " ").map(String.init) }

    func rows(under heading: String) -> [RowOutline] { rows.filter { $0.section == heading } }
}

/// A row of a command's table without the property that it fills.
package struct RowOutline: Sendable, Equatable {
    /// The spellings, short ones first; for an argument its name in the help text.
    package let names: [String]
    package let placeholder: String?
    package let help: String
    package let choices: [String]
    package let section: String?
    package let isOption: Bool
    package let repeats: Bool
    /// Whether everything after it belongs to another program.
    package let isRemainder: Bool

    /// How the row is written in a list: `-u, --username EMAIL`.
    package var term: String {
        guard isOption else { return (names.first ?? "") + (repeats ? "..." : "") }
        return names.joined(separator: ", ") + (placeholder.map { " " + $0 } ?? "")
    }

    /// What the row does, with the values that it takes.
    package var text: String { Help.text(help, choices) }
}

extension [RowOutline] {
    /// The headings of the rows, in the order of their first rows.
    var headings: [String] {
        reduce(into: []) { found, row in
            if let section = row.section, !found.contains(section) { found.append(section) }
        }
    }
}

extension Command {
    /// What this command says about itself.
    package static var outline: CommandOutline {
        CommandOutline(
            name: name, summary: summary, usage: usage, rows: parameters.map(\.outline), examples: examples,
            discussion: discussion)
    }
}

extension Parameter {
    var outline: RowOutline {
        let short = names.filter { !$0.hasPrefix("--") }
        let long = names.filter { $0.hasPrefix("--") }
        return RowOutline(
            names: isOption ? short + long : [title], placeholder: placeholder, help: help, choices: choices,
            section: section, isOption: isOption, repeats: repeats, isRemainder: kind == .remainder)
    }
}
