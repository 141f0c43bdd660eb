// SPDX-License-Identifier: Apache-2.0

/// The language of pages on the web, as GitHub reads it.
enum Markdown {
    /// A text within a line: nothing in it is a mark. What it quotes is what people type, and becomes code.
    static func text(_ text: String) -> String {
        var written = ""
        var before: Character = " "
        var rest = text[...]
        while let character = rest.first {
            if character == "'", before == " " || before == "(", let close = closingQuote(in: rest) {
                written += code(String(rest[rest.index(after: rest.startIndex)..<close]))
                rest = rest[close...]
            } else {
                written += marks.contains(character) ? "\\\(character)" : String(character)
            }
            before = character
            rest = rest.dropFirst()
        }
        return written
    }

    /// A text that begins a line, where more characters have a meaning.
    static func paragraph(_ text: String) -> String {
        let digits = text.prefix(while: \.isNumber)
        if !digits.isEmpty, let mark = text[digits.endIndex...].first, mark == "." || mark == ")" {
            return digits + "\\" + self.text(String(text[digits.endIndex...]))
        }
        return (text.first.map { "#-+=".contains($0) } == true ? "\\" : "") + self.text(text)
    }

    /// Code within a line, as it stands.
    static func code(_ text: String) -> String {
        let fence = String(repeating: "`", count: longestRun(in: text) + 1)
        let isAtEdge = text.hasPrefix("`") || text.hasSuffix("`")
        // Where both ends are blanks, one of each is taken away.
        let isPadded = text.hasPrefix(" ") && text.hasSuffix(" ")
        return isAtEdge || isPadded ? "\(fence) \(text) \(fence)" : fence + text + fence
    }

    /// Lines of code.
    static func block(_ lines: [String], language: String = "") -> String {
        let fence = String(repeating: "`", count: max(3, longestRun(in: lines.joined(separator: "\n")) + 1))
        return ([fence + language] + lines + [fence]).joined(separator: "\n")
    }

    /// The name by which links know a heading.
    static func anchor(_ heading: String) -> String {
        heading.lowercased().replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    /// What begins a mark, an entity or a formula.
    private static let marks: Set<Character> = ["\\", "`", "*", "_", "<", ">", "[", "]", "|", "&", "~", "$"]

    /// Where a quotation ends: an apostrophe within a word does not end it.
    private static func closingQuote(in text: Substring) -> Substring.Index? {
        var place = text.index(after: text.startIndex)
        while let quote = text[place...].firstIndex(of: "'") {
            let next = text.index(after: quote)
            if next == text.endIndex || !(text[next].isLetter || text[next].isNumber) { return quote }
            place = next
        }
        return nil
    }

    private static func longestRun(in text: String) -> Int {
        text.split(whereSeparator: { $0 != "`" }).map(\.count).max() ?? 0
    }
}
