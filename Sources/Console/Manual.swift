// SPDX-License-Identifier: Apache-2.0

/// A manual page in the man(7) macros, made from the same tables as the help texts.
package struct Manual {
    private let program: ProgramOutline
    private let version: String
    private var lines: [String] = []

    /// A page of section 1.
    package init(_ program: ProgramOutline, version: String = "") {
        self.program = program
        self.version = version
    }

    /// The page's source.
    package var source: String {
        var page = self
        page.write()
        return page.lines.joined(separator: "\n") + "\n"
    }

    /// `nativeauth-tenant`: a page's name has no blanks.
    private var title: String { program.name.replacing(" ", with: "-") }

    private mutating func write() {
        let source = Roff.text("nativeauth \(version)".trimmed)
        // Words are not broken: most of them are typed as they stand.
        lines = [".TH \(Roff.text(title.uppercased())) 1 \"\" \"\(source)\" \"User Commands\"", ".nh", ".ad l"]
        section("NAME")
        lines.append("\(Roff.text(title)) \\- \(Roff.text(program.summary))")
        section("SYNOPSIS")
        lines += [".B \(Roff.text(program.name))", ".I COMMAND", "[flags]"]
        section("DESCRIPTION")
        paragraphs(program.description)
        if !program.examples.isEmpty {
            section("EXAMPLES")
            examples(program.examples)
        }
        section("COMMANDS")
        for outline in program.commands { command(outline) }
        sharedFlags()
        for topic in program.topics { self.topic(topic) }
        guard !program.seeAlso.isEmpty else { return }
        section("SEE ALSO")
        lines.append(program.seeAlso.map { "\\fB\(Roff.text($0))\\fP(1)" }.joined(separator: ", "))
    }

    private mutating func command(_ outline: CommandOutline) {
        lines.append(".SS \(Roff.text("\(outline.name) \(outline.usage)".trimmed))")
        lines.append(Roff.line(outline.summary + "."))
        for row in program.ownRows(of: outline) { entry(row.term, row.text) }
        for heading in program.sharedHeadings(of: outline) {
            lines += [".PP", Roff.line("Takes the flags under \(heading), too.")]
        }
        if !outline.discussion.isEmpty {
            lines.append(".PP")
            paragraphs(outline.discussion)
        }
        if !outline.examples.isEmpty {
            lines.append(".PP")
            examples(outline.examples)
        }
    }

    private mutating func sharedFlags() {
        for heading in program.sharedHeadings {
            lines.append(".SS \(Roff.text("Flags: " + heading))")
            for row in program.sharedRows(under: heading) { entry(row.term, row.text) }
        }
    }

    private mutating func topic(_ topic: Topic) {
        section(topic.heading)
        lines.append(Roff.line(topic.summary + "."))
        for part in topic.parts {
            switch part {
            case .examples(let list):
                lines.append(".PP")
                examples(list)
            case .table(let heading, let rows):
                lines.append(".SS \(Roff.text(heading))")
                for row in rows { entry(row.term, row.text) }
            case .text(let text):
                lines.append(".PP")
                paragraphs(text)
            }
        }
    }

    private mutating func section(_ heading: String) {
        lines.append(".SH \(Roff.text(heading))")
    }

    private mutating func entry(_ term: String, _ text: String) {
        lines += [".TP", ".B \(Roff.text(term))", Roff.line(text)]
    }

    /// An example is shown as it is typed, and what it does below it.
    private mutating func examples(_ examples: [Example]) {
        for example in examples {
            lines += [".TP", ".B \(Roff.text("$ " + example.command))"]
            // A term without a text would take the next one for its own.
            lines.append(example.effect.isEmpty ? "\\&" : Roff.line(example.effect))
        }
    }

    private mutating func paragraphs(_ text: String) {
        for (place, passage) in Passage.all(in: text).enumerated() {
            if place > 0 { lines.append(".PP") }
            switch passage {
            case .prose(let text): lines.append(Roff.line(text))
            case .verbatim(let code): lines += [".EX"] + code.map(Roff.line) + [".EE"]
            }
        }
    }
}

/// The language of manual pages.
enum Roff {
    /// A text within a line: nothing in it is a request, and what is to be copied stays what it is.
    static func text(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case "\"": "\\(dq"
            default:
                scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
            }
        }.joined()
    }

    /// A line of its own: a dot at its start would be a request.
    static func line(_ text: String) -> String {
        (text.hasPrefix(".") ? "\\&" : "") + self.text(text)
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
