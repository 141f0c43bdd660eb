// SPDX-License-Identifier: Apache-2.0

/// A page in Markdown about all commands of a program, made from the same tables as the help texts.
package struct Reference {
    private let program: ProgramOutline
    private let seeAlso: [String: String]
    private var parts: [String] = []

    /// A page; `seeAlso` has titles of other pages by their places.
    package init(_ program: ProgramOutline, seeAlso: [String: String] = [:]) {
        self.program = program
        self.seeAlso = seeAlso
    }

    /// The page's source.
    package var source: String {
        var page = self
        page.write()
        return page.parts.joined(separator: "\n\n") + "\n"
    }

    private mutating func write() {
        parts = ["<!-- The program writes this page itself: 'make reference'. -->", "# \(Markdown.text(program.name))"]
        parts.append(Markdown.paragraph(program.summary.firstUppercased + "."))
        passages(program.description)
        examples(program.examples)
        contents()
        parts.append("## Commands")
        for outline in program.commands { command(outline) }
        sharedFlags()
        if !program.topics.isEmpty { parts.append("## Topics") }
        for topic in program.topics { self.topic(topic) }
        guard !seeAlso.isEmpty else { return }
        let links = seeAlso.sorted { $0.key < $1.key }.map { "- [\($0.value)](\($0.key))" }
        parts += ["## See also", links.joined(separator: "\n")]
    }

    // MARK: Headings

    private func heading(_ command: CommandOutline) -> String { "\(program.name) \(command.name)" }
    private func heading(_ topic: Topic) -> String { "\(program.name) help \(topic.name)" }
    private func sharedHeading(_ name: String) -> String { "Flags: \(name)" }

    private func title(_ heading: String) -> String { "### \(Markdown.text(heading))" }

    private mutating func contents() {
        var lines = ["- [Commands](#commands)"]
        lines += program.commands.map { entry(heading($0), $0.summary) }
        if !program.sharedHeadings.isEmpty { lines.append("- [Flags of several commands](#flags-of-several-commands)") }
        lines += program.sharedHeadings.map { "  - \(link(sharedHeading($0)))" }
        if !program.topics.isEmpty { lines.append("- [Topics](#topics)") }
        lines += program.topics.map { entry(heading($0), $0.summary) }
        parts += ["## Contents", lines.joined(separator: "\n")]
    }

    private func entry(_ heading: String, _ summary: String) -> String {
        "  - \(link(heading)): \(Markdown.text(summary))"
    }

    private func link(_ text: String, to heading: String? = nil) -> String {
        "[\(Markdown.text(text))](#\(Markdown.anchor(heading ?? text)))"
    }

    // MARK: Sections

    private mutating func command(_ outline: CommandOutline) {
        parts.append(title(heading(outline)))
        parts.append(Markdown.paragraph(outline.summary + "."))
        parts.append(Markdown.block(["\(program.name) \(outline.name) \(outline.usage)".trimmed]))
        let words = program.aliases.filter { $0.value == outline.name }.keys.sorted()
        if !words.isEmpty { parts.append("Other words for it: \(words.map(Markdown.code).joined(separator: ", ")).") }
        let rows = program.ownRows(of: outline)
        table("Arguments", rows.filter { !$0.isOption })
        table("Flags", rows.filter { $0.isOption && $0.section == nil })
        for heading in rows.headings { table(heading, rows.filter { $0.isOption && $0.section == heading }) }
        let shared = program.sharedHeadings(of: outline).map { link($0, to: sharedHeading($0)) }
        if !shared.isEmpty { parts.append("It takes the flags under \(shared.joined(separator: " and ")), too.") }
        passages(outline.discussion)
        examples(outline.examples)
    }

    private mutating func sharedFlags() {
        guard !program.sharedHeadings.isEmpty else { return }
        parts.append("## Flags of several commands")
        for heading in program.sharedHeadings {
            parts.append(title(sharedHeading(heading)))
            parts.append(list(program.sharedRows(under: heading).map { ($0.term, $0.text) }))
        }
    }

    private mutating func topic(_ topic: Topic) {
        parts.append(title(heading(topic)))
        parts.append(Markdown.paragraph(topic.summary + "."))
        for part in topic.parts {
            switch part {
            case .examples(let list): examples(list)
            case .table(let heading, let rows):
                parts.append("**\(Markdown.text(heading))**")
                parts.append(list(rows.map { ($0.term, $0.text) }))
            case .text(let text): passages(text)
            }
        }
    }

    // MARK: Pieces

    private mutating func table(_ heading: String, _ rows: [RowOutline]) {
        guard !rows.isEmpty else { return }
        parts.append("**\(Markdown.text(heading))**")
        parts.append(list(rows.map { ($0.term, $0.text) }))
    }

    private func list(_ rows: [(term: String, text: String)]) -> String {
        rows.map { "- \(Markdown.code($0.term)): \(Markdown.text($0.text))" }.joined(separator: "\n")
    }

    /// What an example does is a comment above it, so that the block can be copied.
    private mutating func examples(_ examples: [Example]) {
        guard !examples.isEmpty else { return }
        let lines = examples.map { $0.effect.isEmpty ? $0.command : "# \($0.effect)\n\($0.command)" }
        parts.append(Markdown.block([lines.joined(separator: "\n\n")], language: "sh"))
    }

    private mutating func passages(_ text: String) {
        for passage in Passage.all(in: text) {
            switch passage {
            case .prose(let text): parts.append(Markdown.paragraph(text))
            case .verbatim(let lines): parts.append(Markdown.block(lines.withoutCommonIndent))
            }
        }
    }
}

extension [String] {
    /// The lines without the blanks that all of them begin with.
    fileprivate var withoutCommonIndent: [String] {
        let indent = map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return map { String($0.dropFirst(indent)) }
    }
}

extension String {
    fileprivate var firstUppercased: String { prefix(1).uppercased() + dropFirst() }
}
