// SPDX-License-Identifier: Apache-2.0

/// Something to read about that is no command. The help text and the manual page are made from the same parts.
package struct Topic: Sendable {
    /// A piece of a topic.
    package enum Part: Sendable {
        case examples([Example])
        /// Terms and their texts under a heading.
        case table(String, [Row])
        /// Paragraphs, with an empty line between them.
        case text(String)
    }

    /// A term and its text.
    package struct Row: Sendable, Equatable {
        package let term: String
        package let text: String

        /// A row of a table.
        package init(_ term: String, _ text: String) {
            self.term = term
            self.text = text
        }
    }

    /// The word for it: `exit-codes`.
    package let name: String
    /// One line, without a full stop.
    package let summary: String
    /// The heading in a manual page, as custom has it: `EXIT STATUS`.
    package let heading: String
    package let parts: [Part]

    /// A topic.
    package init(_ name: String, heading: String, summary: String, parts: [Part]) {
        self.name = name
        self.heading = heading
        self.summary = summary
        self.parts = parts
    }

    /// The help text.
    package func help(columns: Int = 80) -> String {
        let sections = parts.map { part in
            switch part {
            case .examples(let examples): Help.section("Examples", Help.examples(examples))
            case .table(let heading, let rows):
                Help.section(heading, Help.table(rows.map { ($0.term, $0.text) }, columns))
            case .text(let text): Help.paragraphs(text, columns: columns)
            }
        }
        return ([summary + "."] + sections).joined(separator: "\n\n") + "\n"
    }
}
