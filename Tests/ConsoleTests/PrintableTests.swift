// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

@Suite("Text from a server")
struct PrintableTests {
    static let corpus: [Typed] = [
        Typed("City", "City"),
        Typed("Zoë 李小龍 👩‍🔬 שלום e\u{301}", "Zoë 李小龍 👩‍🔬 שלום e\u{301}"),
        Typed("\u{1B}]52;c;ZXZpbA==\u{7}", #"\x1b]52;c;ZXZpbA==\x07"#),
        Typed("\u{1B}]8;;http://evil\u{1B}\\link\u{1B}]8;;\u{1B}\\", #"\x1b]8;;http://evil\x1b\link\x1b]8;;\x1b\"#),
        Typed("\u{1B}]0;title\u{7}x", #"\x1b]0;title\x07x"#),
        Typed("\u{1B}[2J\u{1B}[Hfake prompt", #"\x1b[2J\x1b[Hfake prompt"#),
        Typed("\u{9B}31mred\u{9D}0;t\u{9C}", #"\x9b31mred\x9d0;t\x9c"#),
        Typed("a\u{8}\u{7F}\0b", #"a\x08\x7f\x00b"#),
        Typed("user\u{202E}gpj.exe\u{202C}", "usergpj.exe"),
        Typed("\u{2066}a\u{2067}b\u{2068}c\u{2069}\u{202A}\u{202B}\u{202D}", "abc"),
        Typed("a\u{200B}b\u{FEFF}c\u{AD}d\u{200E}\u{200F}\u{61C}\u{E0041}", "abcd"),
        // Not assigned, and invisible all the same.
        Typed("a\u{E000D}b\u{E01F0}c\u{2065}d\u{FFF0}", "abcd"),
        Typed("tab\there", "tab here"),
        Typed("one\r\ntwo\nthree\rfour\u{2028}five\u{2029}six", "one two three four five six"),
    ]

    @Test("Rule 124: cannot command the terminal", arguments: corpus)
    func oneLine(item: Typed) {
        #expect(String(decoding: item.bytes, as: UTF8.self).printable == item.outcome)
    }

    @Test("keeps its lines where lines are wanted")
    func lines() {
        #expect("one\r\ntwo\n\nthree\rfour\u{2028}\u{1B}x".printableLines == "one\ntwo\n\nthree\nfour\n\\x1bx")
    }

    @Test("is clean whatever it was")
    func everyScalar() {
        for value in UInt32(0)...0x2FFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let shown = String(Character(scalar)).printable
            #expect(shown.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
            #expect(shown.printable == shown)
        }
    }
}
