// SPDX-License-Identifier: Apache-2.0

import Console

/// What the filter lets through moves no cursor, changes no colour, and reads in the order in which it is stored.
enum TerminalProperties {
    @Sendable static func check(_ bytes: [UInt8]) throws(Violation) {
        let text = String(decoding: bytes, as: UTF8.self)
        try check(text, text.printable, allowing: [])
        try check(text, text.printableLines, allowing: ["\n"])
        try require(text.printable.printable == text.printable, "filtered twice it is another")
        try require(text.printableLines.printableLines == text.printableLines, "lines filtered twice are others")
        try require(text.printable == text.printableLines.printable, "the two filters differ in more than lines")
        if bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            try require(text.printable == text, "plain text was changed")
        }
    }

    private static func check(
        _ text: String, _ shown: String, allowing allowed: Set<Unicode.Scalar>
    ) throws(Violation) {
        try require(shown.utf8.count <= 4 * text.utf8.count, "it has grown more than an escape does")
        for scalar in shown.unicodeScalars where !allowed.contains(scalar) {
            let isObeyed =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
                || [0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0xFEFF].contains(scalar.value)
                || (0xE0000...0xE007F).contains(scalar.value)
            try require(!isObeyed, "it lets \(scalar.escaped(asASCII: true)) through")
        }
    }
}
