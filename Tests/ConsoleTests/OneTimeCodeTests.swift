// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

/// A text, the length that the server says, and what the text holds.
struct CodeCase: CustomTestStringConvertible {
    let text: String
    let length: Int
    let expected: OneTimeCode

    init(_ text: String, _ length: Int, _ expected: OneTimeCode) {
        (self.text, self.length, self.expected) = (text, length, expected)
    }

    var testDescription: String { "\(text.printable) for \(length)" }
}

@Suite("One-time codes")
struct OneTimeCodeTests {
    static let typed: [CodeCase] = [
        CodeCase("123456", 6, .code("123456")),
        CodeCase("12345678", 8, .code("12345678")),
        CodeCase("123 456", 6, .code("123456")),
        CodeCase("123-456", 6, .code("123456")),
        CodeCase("123–456", 6, .code("123456")),
        CodeCase("123·456", 6, .code("123456")),
        CodeCase("1 2 3 4 5 6", 6, .code("123456")),
        CodeCase(" 123456\n", 6, .code("123456")),
        CodeCase("123456\r\n", 6, .code("123456")),
        CodeCase("123\u{A0}456", 6, .code("123456")),
        CodeCase("123\u{202F}456", 6, .code("123456")),
        CodeCase("123\u{200B}456\u{FEFF}", 6, .code("123456")),
        CodeCase("\u{202A}123456\u{202C}", 6, .code("123456")),
        CodeCase("１２３４５６", 6, .code("123456")),
        CodeCase("١٢٣٤٥٦", 6, .code("123456")),
        CodeCase("१२३४५६", 6, .code("123456")),
        CodeCase("\u{1B}[200~123456\n\u{1B}[201~", 6, .code("123456")),
        CodeCase("\u{1B}[200~12345678\u{1B}[201~\n", 8, .code("12345678")),
        CodeCase("000000", 6, .code("000000")),
        CodeCase("1234 56 78", 8, .code("12345678")),
        CodeCase("12345", 8, .wrongLength(found: 5)),
        CodeCase("123456", 8, .wrongLength(found: 6)),
        CodeCase("123456789", 8, .wrongLength(found: 9)),
        CodeCase("123 456 789", 6, .wrongLength(found: 9)),
        CodeCase("123456 654321", 6, .ambiguous),
        CodeCase("", 6, .none),
        CodeCase("  \n", 6, .none),
        CodeCase("- -", 6, .none),
        CodeCase("²³", 2, .none),
    ]

    static let sentences: [CodeCase] = [
        CodeCase("Your code is 123456.", 6, .code("123456")),
        CodeCase("Your code is 123 456.", 6, .code("123456")),
        CodeCase("Your code is 1234 5678, valid 10 minutes.", 8, .code("12345678")),
        CodeCase("Your code is 1234-5678 (valid 10 minutes)", 8, .code("12345678")),
        CodeCase("Your code 12345678 10 minutes", 8, .code("12345678")),
        CodeCase("Use 1234 5678 10 minutes", 8, .code("12345678")),
        CodeCase("code:12345678", 8, .code("12345678")),
        CodeCase("G-123456 is your code", 6, .code("123456")),
        CodeCase("验证码123456，请在10分钟内输入", 6, .code("123456")),
        CodeCase("Subject: 12345678\n\nYour code is 12345678.", 8, .code("12345678")),
        CodeCase("Date: 2026-05-12\nYour code is 12345678.", 8, .code("12345678")),
        CodeCase("Date: 2026-05-12\nYour code is 1234 5678.", 8, .code("12345678")),
        CodeCase("Order AB87654321. Code 12345678", 8, .code("12345678")),
        CodeCase("Either 123456 or 654321", 6, .ambiguous),
        CodeCase("Call +47 12 34 56 78", 8, .ambiguous),
        CodeCase("Your code is 12345. valid 10 minutes", 8, .wrongLength(found: 5)),
        CodeCase("Date: 2026-05-12", 8, .wrongLength(found: 4)),
        CodeCase("valid 10 123456", 8, .wrongLength(found: 6)),
        CodeCase("no digits here", 6, .none),
        CodeCase("r", 6, .none),
    ]

    @Test("are understood as they are typed and pasted", arguments: typed)
    func entry(of item: CodeCase) {
        #expect(OneTimeCode.find(in: item.text, length: item.length) == item.expected)
    }

    @Test("are found in sentences and mails", arguments: sentences)
    func sentence(of item: CodeCase) {
        #expect(OneTimeCode.find(in: item.text, length: item.length) == item.expected)
    }
}
