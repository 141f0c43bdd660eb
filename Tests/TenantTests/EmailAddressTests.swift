// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Tenant

struct EmailAddressTests {
    @Test(arguments: ["ada@example.com", "a.b+c@x-y.example", "A@B.co", "o'neil@example.ie"])
    func addressIsTaken(_ text: String) {
        #expect(EmailAddress(text)?.text == text)
    }

    @Test(arguments: [
        "", "abc", "@example.com", "ada@", "a@b@c.example", "ada@example", "ada@-a.example", "ada@a..example",
        ".a@b.example",
        "a b@c.example", "ada@exa\u{E4}mple.com", "a\r\nBcc: e@x.example", "a\u{0}@b.example", "<ada@example.com>",
        "ada@[127.0.0.1]", "\"ada\"@example.com",
    ])
    func addressIsRefused(_ text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func lengthsHaveEdges() {
        let local = String(repeating: "a", count: 64)
        #expect(EmailAddress(local + "@b.example") != nil)
        #expect(EmailAddress(local + "a@b.example") == nil)
    }

    @Test func comparisonIgnoresCase() {
        #expect(EmailAddress("Ada@Example.COM")?.key == EmailAddress("ada@example.com")?.key)
    }

    @Test func maskHidesTheMiddle() {
        #expect(EmailAddress("mira@lofoten.example")?.masked == "m***a@lo*****.example")
        #expect(EmailAddress("a@b.example")?.masked == "***@b.example")
    }
}
