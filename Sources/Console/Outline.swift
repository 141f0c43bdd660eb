// SPDX-License-Identifier: Apache-2.0

/// A program as its help, its manual page and its completions see it: names, texts and tables.
package struct ProgramOutline: Sendable {
    /// The words that call it: `nativeauth tenant`.
    package let name: String
    /// One line, without a full stop.
    package let summary: String
    /// What people type most often.
    package let examples: [Example]
    package let commands: [CommandOutline]
    /// Other words for a command.
    package let aliases: [String: String]
    package let topics: [Topic]

    /// An outline of what these commands say about themselves.
    package init(
        name: String, summary: String, examples: [Example] = [], commands: [CommandOutline],
        aliases: [String: String] = [:], topics: [Topic] = []
    ) {
        self.name = name
        self.summary = summary
        self.examples = examples
        self.commands = commands
        self.aliases = aliases
        self.topics = topics
    }

    /// The command that these words begin with, and how many of them are its name.
    package func command(in words: [String]) -> (command: CommandOutline, words: Int)? {
        var words = words
        if let first = words.first, let name = aliases[first] { words[0] = name }
        let fitting = commands.filter { words.starts(with: $0.words) }
        return fitting.max { $0.words.count < $1.words.count }.map { ($0, $0.words.count) }
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
