// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Tenant

/// Patterns of owners, held against texts of strangers.
struct PatternTests {
    @Test(
        arguments: [
            ("^[0-9]{6}$", "123456", true), ("[0-9]{6}", "123456", true), ("[0-9]{6}", "x123456", false),
            ("[0-9]{6}", "1234567", false), ("", "", true), ("", "x", false), ("a|ab", "ab", true), (".*", "", true),
            ("^.{1,3}$", "bøå", true), ("^.{1,3}$", "bøåx", false), ("\\p{Lu}.*", "Ålesund", true),
            ("(?i)oslo", "OSLO", true), ("a\\z", "a\n", false), (".", "\n", false),
        ] as [(String, String, Bool)])
    func matches(_ pattern: String, _ text: String, _ isMatch: Bool) throws {
        #expect(try #require(Pattern(pattern)).matches(text) == isMatch)
    }

    @Test(arguments: ["(", "[", "a{2,1}", "*", "(?<n>", "\\", "(?P<a>x)(?P<a>y)", "\\C"])
    func isNone(_ pattern: String) {
        #expect(Pattern(pattern) == nil)
    }

    /// Patterns that take twice as long for each further character: a text that would take too long does not match.
    @Test(arguments: [
        ("^([a-z0-9]+-?)+$", String(repeating: "a", count: 1000) + "!"),
        ("^(a+)+$", String(repeating: "a", count: 200) + "b"), ("(x+x+)+y", String(repeating: "x", count: 250)),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", String(repeating: "a", count: 250)),
        ("^(?:(a|b|ab)*)*c$", String(repeating: "ab", count: 500)),
        ("^(.*?,){11}P", String(repeating: "1,", count: 500)),
    ])
    func endsInTime(_ pattern: String, _ text: String) throws {
        let pattern = try #require(Pattern(pattern))
        let duration = ContinuousClock().measure { #expect(!pattern.matches(text)) }
        // Without a bound the sun goes down first.
        #expect(duration < .seconds(20))
    }

    @Test func honestTextOfALongAttributeMatches() throws {
        let slug = (1...120).map { "word\($0)" }.joined(separator: "-")
        #expect(try #require(Pattern("^([a-z0-9]+-?)+$")).matches(slug))
    }
}
