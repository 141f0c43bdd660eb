// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Tenant

struct EmailAddressTests {
    @Test(arguments: ["ada@example.com", "a.b+c@x-y.example", "A@B.co", "o'neil@example.ie", "ada@exa\u{E4}mple.com"])
    func addressIsTaken(_ text: String) {
        #expect(EmailAddress(text)?.text == text)
    }

    @Test(
        "Rule 109: what could mean something to a mail server, or nothing, is refused",
        arguments: [
            "", "abc", "@example.com", "ada@", "a@b@c.example", "ada@example", "ada@-a.example", "ada@a..example",
            ".a@b.example", "a b@c.example", "a\r\nBcc: e@x.example", "a\u{0}@b.example", "<ada@example.com>",
            "ada@[127.0.0.1]", "\"ada\"@example.com", "ada@example.com ", "ada@example.com\r\nRCPT TO:<e@x.example>",
            "ada@example.com>", "ada@example,com", "ada(x)@example.com", "ada@example.com\u{85}", "a\u{7F}@b.example",
            "\u{FF20}@example.com", "../../x",
        ])
    func addressIsRefused(_ text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test(
        "Rule 109: a domain that is not what it looks like is refused",
        arguments: [
            "ada@exa\u{AD}mple.com", "ada@exa\u{200B}mple.com", "ada@exa\u{202E}mple.com", "ada@exam\u{FF0E}ple.com",
            "ada@\u{FF45}xample\u{3000}.com", "ada@m\u{FC}nchen\u{FE52}de", "ada@\u{2100}.example",
            "ada@m\u{FC} nchen.de",
            "ada@m\u{FC}nchen.de\u{0}.example", "ada@-m\u{FC}nchen.de", "ada@m\u{FC}nchen", "ada@\u{1F600}.example",
            "ada@\u{300}a.example", "\u{FC}da@example.com", "ada@m\u{FC}nchen..de", "ada@b\u{FC}cher.de:25",
        ])
    func hiddenDomainIsRefused(_ text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test("Rule 109: lengths have edges")
    func lengthsHaveEdges() {
        let local = String(repeating: "a", count: 64)
        #expect(EmailAddress(local + "@b.example") != nil)
        #expect(EmailAddress(local + "a@b.example") == nil)
        let labels = Array(repeating: String(repeating: "b", count: 46), count: 4).joined(separator: ".")
        #expect(EmailAddress("\(local)@\(labels).b")?.text.utf8.count == 254)
        #expect(EmailAddress("\(local)@\(labels).bb") == nil)
        #expect(EmailAddress("a@\(String(repeating: "\u{FC}", count: 60)).de") == nil, "its A-label is too long")
    }

    /// Two ways to write an address, and whether they are of one mailbox.
    @Test(
        "Rules 114 and 115: an address has one key, however it is written",
        arguments: [
            ("Ada@Example.COM", "ada@example.com", true), ("user@M\u{DC}NCHEN.de", "user@xn--mnchen-3ya.de", true),
            ("user@mu\u{308}nchen.de", "user@m\u{FC}nchen.de", true),
            ("user@XN--MNCHEN-3YA.de", "user@m\u{FC}nchen.de", true),
            ("a@fa\u{DF}.de", "a@fass.de", false), ("a@fa\u{DF}.de", "a@xn--fa-hia.de", true),
            ("a@\u{4F8B}\u{3048}\u{3002}\u{30C6}\u{30B9}\u{30C8}", "a@xn--r8jz45g.xn--zckzah", true),
            ("a@ex\u{430}mple.com", "a@example.com", false), ("a.b@example.com", "ab@example.com", false),
            ("a+x@example.com", "a@example.com", false),
            ("a@\u{3B2}\u{3CC}\u{3BB}\u{3BF}\u{3C2}.com", "a@xn--nxasmm1c.com", true),
        ])
    func pair(_ one: String, _ other: String, areEqual: Bool) throws {
        let keys = [try #require(EmailAddress(one)).key, try #require(EmailAddress(other)).key]
        #expect((keys[0] == keys[1]) == areEqual, "\(keys)")
    }

    @Test("Rule 114: mail servers get the domain in ASCII, and people what they wrote")
    func forms() throws {
        let address = try #require(EmailAddress("Ada.L@M\u{DC}NCHEN.de"))
        #expect(address.text == "Ada.L@M\u{DC}NCHEN.de")
        #expect(address.ascii == "Ada.L@xn--mnchen-3ya.de")
        #expect(address.key == "ada.l@xn--mnchen-3ya.de")
        #expect(address.masked == "A***L@M\u{DC}*****.de")
    }

    @Test func maskHidesTheMiddle() {
        #expect(EmailAddress("mira@lofoten.example")?.masked == "m***a@lo*****.example")
        #expect(EmailAddress("a@b.example")?.masked == "***@b.example")
    }

    /// What is taken after any change to an address that is good.
    @Test("Rule 109: of 100,000 spoiled addresses none that passes could do harm")
    func spoiled() {
        var random = SystemRandomNumberGenerator()
        let seeds = [
            "ada@example.com", "a.b+c@x-y.example", "user@m\u{FC}nchen.de",
            "x@\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}",
        ]
        let hostile: [Unicode.Scalar] = [
            "\r", "\n", "\0", " ", "\t", "<", ">", "(", ")", "[", "]", "@", ",", ";", ":", "\\", "\"", "\u{7F}",
            "\u{85}",
            "\u{A0}", "\u{AD}", "\u{200B}", "\u{200D}", "\u{202E}", "\u{2028}", "\u{3000}", "\u{FF20}", "\u{FF0E}",
            "\u{FE0F}",
            "\u{E000}", "\u{10FFFF}", "\u{3C2}", "\u{DF}", "\u{130}", "-", ".", "\u{3002}", "\u{2488}", "\u{1F600}",
        ]
        var taken = 0
        for _ in 0..<100_000 {
            var scalars = Array(seeds.randomElement(using: &random)?.unicodeScalars ?? "".unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0...scalars.count, using: &random)
                let scalar =
                    Bool.random(using: &random)
                    ? hostile.randomElement(using: &random)
                    : Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random))
                guard let scalar else { continue }
                if Bool.random(using: &random), place < scalars.count {
                    scalars[place] = scalar
                } else {
                    scalars.insert(scalar, at: place)
                }
            }
            let text = String(String.UnicodeScalarView(scalars))
            guard let address = EmailAddress(text) else { continue }
            taken += 1
            let harm = address.harm
            if !harm.isEmpty { Issue.record("\(text.debugDescription): \(harm)") }
        }
        #expect(taken > 1000, "the good ones pass")
    }
}

extension EmailAddress {
    /// What is wrong with an address that was taken.
    fileprivate var harm: [String] {
        var harm: [String] = []
        func demand(_ fact: Bool, _ what: String) { if !fact { harm.append(what) } }
        for form in [text, ascii, key] {
            demand(form.split(separator: "@", omittingEmptySubsequences: false).count == 2, "not one @ in \(form)")
            for scalar in form.unicodeScalars {
                let properties = scalar.properties
                demand(properties.generalCategory != .control && properties.generalCategory != .format, "control")
                demand(!properties.isWhitespace, "blank")
                demand(!properties.isDefaultIgnorableCodePoint, "invisible")
                demand(!"<>()[],;:\\\"".unicodeScalars.contains(scalar), "special")
            }
        }
        demand(ascii.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "not ASCII")
        demand(ascii.utf8.count <= 254, "too long")
        demand(EmailAddress(ascii)?.key == key, "its ASCII form is another address")
        return harm
    }
}
