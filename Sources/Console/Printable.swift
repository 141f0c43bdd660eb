// SPDX-License-Identifier: Apache-2.0

extension String {
    /// This text on one line, with nothing in it that a terminal obeys.
    ///
    /// A text from a server may hold escape sequences that change the title, write the clipboard (OSC 52) or draw over
    /// the screen, and bidirectional controls that make it read as something else. Controls become visible as `\x1b`,
    /// invisible formatting goes, line ends become blanks.
    package var printable: String { printable(lineEnd: " ") }

    /// This text with its lines kept, and otherwise as `printable`.
    package var printableLines: String { printable(lineEnd: "\n") }

    private func printable(lineEnd: Character) -> String {
        var result = ""
        result.reserveCapacity(utf8.count)
        var previous: Unicode.Scalar?
        for scalar in unicodeScalars {
            switch scalar.role {
            case .text: result.unicodeScalars.append(scalar)
            case .lineEnd: if scalar != "\n" || previous != "\r" { result.append(lineEnd) }
            case .blank: result.append(" ")
            case .control: result += scalar.escape
            case .formatting: break
            }
            previous = scalar
        }
        return result
    }

    /// This text without blanks and line ends around it.
    package var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension Unicode.Scalar {
    /// What a terminal makes of a character.
    fileprivate enum Role {
        case text, lineEnd, blank, control, formatting
    }

    fileprivate var role: Role {
        // Most text is ASCII, and the Unicode tables are slow.
        if value >= 0x20, value < 0x7F { return .text }
        switch self {
        case "\n", "\r", "\u{2028}", "\u{2029}": return .lineEnd
        case "\t": return .blank
        // The joiners belong to words and emoji. A reader sees nothing wrong without the other formatting characters.
        case "\u{200C}", "\u{200D}": return .text
        default: break
        }
        switch properties.generalCategory {
        case .control: return .control
        case .format: return .formatting
        // No character yet, and meant to be shown as nothing if it becomes one.
        case .unassigned where properties.isDefaultIgnorableCodePoint: return .formatting
        default: return .text
        }
    }

    /// `\x1b`: every control character is below U+00A0.
    fileprivate var escape: String {
        let digits = String(value, radix: 16)
        return "\\x" + (digits.count < 2 ? "0" : "") + digits
    }
}
