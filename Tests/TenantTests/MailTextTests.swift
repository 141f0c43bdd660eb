// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Tenant

struct MailTextTests {
    private func message(_ purpose: CodeMessage.Purpose = .signUp, to: String = "mira@lofoten.example") throws
        -> CodeMessage
    {
        CodeMessage(
            purpose: purpose, to: try #require(Contact(to)), code: "01234567", lifetime: 600, id: "id-1",
            date: Date(timeIntervalSince1970: 1_780_000_000))
    }

    private func rendered(_ message: CodeMessage, from sender: String = "Fjord <no-reply@fjord.example>") throws
        -> String
    {
        message.rendered(from: try #require(MailSender(sender)))
    }

    private static let purposes: [CodeMessage.Purpose] = [
        .signUp, .signIn, .passwordReset, .secondFactor, .registration,
    ]

    @Test("Rule 113: the head has what programs look at, and one Message-ID for one code")
    func head() throws {
        let lines = try rendered(message()).components(separatedBy: "\r\n")
        #expect(
            Array(lines.prefix(9)) == [
                "From: Fjord <no-reply@fjord.example>", "To: mira@lofoten.example", "Subject: Your sign-up code",
                "Date: Thu, 28 May 2026 20:26:40 +0000", "Message-ID: <id-1@fjord.example>",
                "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
                "Content-Type: multipart/alternative;", " boundary=\"part-id-1\"",
            ])
        #expect(try rendered(message()) == rendered(message()), "the same however often it is sent")
    }

    @Test("Rule 112: plain text first, the code on its own line", arguments: purposes)
    func parts(_ purpose: CodeMessage.Purpose) throws {
        let text = try rendered(message(purpose))
        let plain = try #require(text.firstRange(of: "Content-Type: text/plain; charset=utf-8\r\n"))
        let html = try #require(text.firstRange(of: "Content-Type: text/html; charset=utf-8\r\n"))
        #expect(plain.upperBound < html.lowerBound)
        #expect(text[plain.upperBound..<html.lowerBound].contains("\r\n\r\n01234567\r\n\r\n"))
        #expect(text.hasSuffix("\r\n--part-id-1--\r\n"))
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 76 }, "lines are short")
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(!text.replacing("\r\n", with: "").contains { $0 == "\n" || $0 == "\r" })
    }

    @Test("Rule 112: nothing that is fetched, clicked on or run, and no words of whoever asked", arguments: purposes)
    func harmless(_ purpose: CodeMessage.Purpose) throws {
        let text = try rendered(message(purpose, to: "buy-now.visit-evil@evil.example"))
        let body = try #require(text.split(separator: "\r\n\r\n", maxSplits: 1).last)
        for word in ["evil", "buy-now", "http", "<img", "<a ", "<script", "src", "href", "url(", "@"] {
            #expect(!body.lowercased().contains(word), "\(word)")
        }
    }

    @Test("Rule 114: an internationalised domain goes into the head in ASCII")
    func internationalised() throws {
        #expect(try rendered(message(to: "ada@m\u{FC}nchen.de")).contains("\r\nTo: ada@xn--mnchen-3ya.de\r\n"))
        #expect(
            try rendered(message(), from: "no-reply@m\u{FC}nchen.de")
                .hasPrefix("From: no-reply@xn--mnchen-3ya.de\r\n"))
    }

    @Test(
        "Rule 110: a sender's name is quoted or encoded as it needs",
        arguments: [
            ("Fjord shop <a@b.example>", "Fjord shop <a@b.example>"), ("a@b.example", "a@b.example"),
            ("Fjord, Inc. <a@b.example>", "\"Fjord, Inc.\" <a@b.example>"),
            ("Fj\u{F8}rd <a@b.example>", "=?utf-8?B?RmrDuHJk?= <a@b.example>"), ("<a@b.example>", "a@b.example"),
            ("A\\B <a@b.example>", "\"A\\\\B\" <a@b.example>"),
        ])
    func senderField(_ text: String, _ field: String) throws {
        #expect(try #require(MailSender(text)).field == field)
    }

    @Test("Rule 110: a long name is cut into encoded words between characters, each line short enough")
    func longName() throws {
        let name = String(repeating: "\u{1F41F}\u{F8}", count: 20)
        let field = try #require(MailSender("\(name) <a@b.example>")).field
        let words = field.split(separator: " ").dropLast().map { String($0) }
        #expect(words.count > 1 && words.allSatisfy { $0.utf8.count <= 75 })
        let bytes = words.flatMap { word in
            Data(base64Encoded: String(word.dropFirst(10).prefix { $0 != "?" })).map(Array.init) ?? []
        }
        #expect(String(decoding: bytes, as: UTF8.self) == name)
        #expect(
            words.allSatisfy { word in
                Data(base64Encoded: String(word.dropFirst(10).prefix { $0 != "?" })).map {
                    String(validating: $0, as: UTF8.self) != nil
                }
                    ?? false
            })
    }

    @Test(
        "Rule 110: what could begin another field is no sender",
        arguments: [
            "x\r\nBcc: e@x.example <a@b.example>", "x\nBcc: e@x <a@b.example>", "x\u{0} <a@b.example>",
            "a@b.example\r\n",
            "x <a@b.example> <c@d.example>", "x \"y\" <a@b.example>", "x <a@b.example", "x a@b.example>", "x", "",
            "x <a@b.example\r\nBcc: e@x.example>", "x\u{85}y <a@b.example>",
        ])
    func noSender(_ text: String) {
        #expect(MailSender(text) == nil)
    }

    // MARK: - Encoding

    @Test(arguments: [
        "", "plain", "a=b", "blank at the end ", "\u{E9}t\u{E9}", String(repeating: "x", count: 200), "two\nlines",
        String(repeating: "\u{1F41F}", count: 50), "tab\tand = and\n\n. dot", "=",
    ])
    func quotedPrintableComesBack(_ text: String) {
        let encoded = QuotedPrintable.encode(text)
        let lines = encoded.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.hasSuffix(" ") })
        #expect(encoded.utf8.allSatisfy { $0 < 0x7F })
        #expect(QuotedPrintable.decode(lines).joined(separator: "\n") == text)
    }

    @Test("Rule 132: no text breaks the reader of the spool")
    func readerTakesAnything() throws {
        let good = try rendered(message())
        var random = SystemRandomNumberGenerator()
        for _ in 0..<5000 {
            var bytes = Array(good.utf8)
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { break }
            }
            if let mail = SpooledMail(String(decoding: bytes, as: UTF8.self)), let code = mail.code {
                #expect(code.utf8.allSatisfy { (0x30...0x39).contains($0) })
            }
        }
    }

    @Test("a mail of an older program is read as before")
    func olderMail() throws {
        let old = [
            "From: Local tenant <no-reply@tenant.invalid>", "To: a@b.example", "Subject: Your sign-up code",
            "Date: Thu, 28 May 2026 20:26:40 +0000", "Message-ID: <x@tenant.invalid>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "", "Use this code:", "", "12345678", "", "It is good.", "",
        ].joined(separator: "\r\n")
        let mail = try #require(SpooledMail(old))
        #expect(mail.code == "12345678" && mail.head["to"] == "a@b.example")
        #expect(mail.text == ["Use this code:", "", "12345678", "", "It is good.", ""])
    }

    @Test("a mail is read as it was written")
    func comesBack() throws {
        let message = try message()
        let mail = try #require(SpooledMail(try rendered(message)))
        #expect(mail.code == message.code)
        #expect(mail.text.joined(separator: "\n") == message.text + "\n")
    }
}
