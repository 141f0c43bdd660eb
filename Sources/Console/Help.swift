// SPDX-License-Identifier: Apache-2.0

extension Command {
    /// The help text: what the command does, how it is called, examples, its table, and more to read.
    package static func help(program: String, columns: Int = 80) -> String {
        let rows = parameters
        var sections = [summary + "."]
        sections.append(Help.section("Usage", ["  " + "\(program) \(name) \(usage)".trimmed]))
        sections.append(Help.section("Examples", Help.examples(examples)))
        sections.append(Help.section("Arguments", Help.table(rows.filter { !$0.isOption }.map(\.line), columns)))
        sections.append(Help.section("Flags", Help.table(rows.options(in: nil), columns)))
        for heading in outline.rows.headings {
            sections.append(Help.section(heading, Help.table(rows.options(in: heading), columns)))
        }
        sections.append(Help.paragraphs(discussion, columns: columns))
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }
}

/// The parts that help texts are made of.
package enum Help {
    /// A heading with its lines; empty where there are no lines.
    package static func section(_ heading: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : ([heading + ":"] + lines).joined(separator: "\n")
    }

    /// Terms and their texts in two aligned columns, the texts wrapped.
    package static func table(_ rows: [(term: String, text: String)], _ columns: Int = 80) -> [String] {
        let widest = rows.map(\.term.count).filter { $0 <= longestTerm }.max() ?? 0
        let indent = 2 + widest + 2
        return rows.flatMap { row in
            let lines = wrap(row.text, columns: max(20, columns - indent))
            let term = "  " + row.term
            guard term.count + 2 <= indent, let first = lines.first else {
                return [term] + lines.map { blanks(indent) + $0 }
            }
            return [term + blanks(indent - term.count) + first] + lines.dropFirst().map { blanks(indent) + $0 }
        }
    }

    /// Paragraphs, which empty lines separate, each wrapped; lines that start with a blank stay as they are.
    package static func paragraphs(_ text: String, columns: Int = 80) -> String {
        var result: [String] = []
        var words = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let first = line.first, first != " " {
                words += " " + line
            } else {
                result += wrap(words, columns: columns) + [String(line)]
                words = ""
            }
        }
        result += wrap(words, columns: columns)
        return result.joined(separator: "\n")
    }

    /// A term wider than this has its text on the next line, so that one long option does not push all texts away.
    private static let longestTerm = 28

    /// Command lines as they are typed, each with what it does below it.
    package static func examples(_ examples: [Example]) -> [String] {
        examples.flatMap { example in
            ["  $ " + example.command] + (example.effect.isEmpty ? [] : ["      " + example.effect])
        }
    }

    /// Lines of at most so many characters, broken at blanks; a longer word has a line of its own.
    package static func wrap(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let line = lines.last, line.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    /// What a row does, with its choices before the variables that stand for it.
    static func text(_ help: String, _ choices: [String]) -> String {
        guard !choices.isEmpty else { return help }
        let list = "One of: " + choices.joined(separator: ", ") + "."
        guard help.hasSuffix("]"), let open = help.lastIndex(of: "[") else { return help + " " + list }
        return help[..<open] + list + " " + help[open...]
    }

    private static func blanks(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }
}

extension Parameter {
    /// The row in the help text; short names first, and long ones below each other: `-j, --json`, `    --field PATH`.
    fileprivate var line: (term: String, text: String) {
        let text = Help.text(help, choices)
        guard isOption else { return (title + (repeats ? "..." : ""), text) }
        let short = names.filter { !$0.hasPrefix("--") }
        let long = names.filter { $0.hasPrefix("--") }
        let indent = short.isEmpty ? "    " : ""
        let term = indent + (short + long).joined(separator: ", ") + (placeholder.map { " " + $0 } ?? "")
        return (term, text)
    }
}

extension Array {
    fileprivate func options<Root>(in section: String?) -> [(term: String, text: String)]
    where Element == Parameter<Root> {
        filter { $0.isOption && $0.section == section }.map(\.line)
    }
}
