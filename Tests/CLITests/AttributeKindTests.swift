// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

@testable import CLI

@Suite("Attributes by what the tenant tells")
struct AttributeKindTests {
    static let kinds: [(String, String?, AttributeKind)] = [
        ("string", nil, .text), ("boolean", nil, .yesOrNo), ("Boolean", nil, .yesOrNo), ("integer", nil, .wholeNumber),
        ("int", nil, .wholeNumber), ("unheardOf", nil, .text), ("string", "^.*$", .text),
        ("string", "^(a|b)$", .choice(["a", "b"], several: false)),
        ("string", "^(St\\. Lucia|C\\+\\+)$", .choice(["St. Lucia", "C++"], several: false)),
        ("string", "^(a|b)(,(a|b))*$", .choice(["a", "b"], several: true)),
        ("boolean", "^(a|b)$", .yesOrNo),
        // A pattern that says more than a list is no list.
        ("string", "^(a|b)+$", .text), ("string", "^(a|b.)$", .text), ("string", "^(a|\\d)$", .text),
        ("string", "^(a|(b))$", .text), ("string", "(a|b)", .text), ("string", "^(a)$", .text),
        ("string", "^(a|)$", .text), ("string", "^(a|b)(,(a|c))*$", .text), ("string", "^(a|b", .text),
        ("string", "^(a|b\\)$", .text), ("string", "^()$", .text), ("string", "^$", .text), ("string", "", .text),
    ]

    @Test("lists are told by their patterns", arguments: kinds)
    func kind(type: String, pattern: String?, expected: AttributeKind) {
        #expect(AttributeKind(type: type, pattern: pattern) == expected)
    }

    static let one = AttributeKind.choice(["Red", "Dark green", "2"], several: false)
    static let some = AttributeKind.choice(["Red", "Dark green", "Blue"], several: true)

    static let answers: [(AttributeKind, String, String?)] = [
        (.text, "x", "x"), (.text, "", nil),
        (.yesOrNo, "y", "true"), (.yesOrNo, "NO", "false"), (.yesOrNo, "true", "true"), (.yesOrNo, "ja", nil),
        (.yesOrNo, "", nil),
        (.wholeNumber, "-7", "-7"), (.wholeNumber, "007", "7"), (.wholeNumber, "1.5", nil), (.wholeNumber, "", nil),
        (one, "1", "Red"), (one, "red", "Red"), (one, "dark  GREEN", "Dark green"), (one, "2", "2"), (one, "3", "2"),
        (one, "0", nil), (one, "4", nil), (one, "", nil), (one, "1,2", nil),
        (some, "3,1", "Red,Blue"), (some, "1, blue", "Red,Blue"), (some, "1,1", "Red"), (some, "1,9", nil),
        (some, "", nil), (some, ",", nil),
    ]

    @Test("an answer becomes the value that the tenant is sent", arguments: answers)
    func value(kind: AttributeKind, answer: String, expected: String?) {
        #expect(kind.value(answer) == expected)
    }

    static let hints: [(String, [String])] = [
        ("Tr0ub4dor-and-3", []),
        ("Ab1-xyz", ["that has 7 characters, and most tenants want 8 or more.", "Enter alone starts again."]),
        ("xxADAxx-9", ["that contains the address.", "Enter alone starts again."]),
    ]

    @Test("hints about a password", arguments: hints)
    func hint(password: String, expected: [String]) {
        #expect(Secret(password).hints(username: "ada@example.com") == expected)
    }

    @Test("a password that is made has all kinds of characters, and is another each time")
    func generated() {
        var source = SystemRandomNumberGenerator()
        let passwords = (1...200).map { _ in Secret.generated(using: &source).text }
        #expect(Set(passwords).count == 200)
        for password in passwords {
            #expect(password.count == 23 && password.split(separator: "-").map(\.count) == [5, 5, 5, 5])
            #expect(password.contains(where: \.isLowercase) && password.contains(where: \.isUppercase))
            #expect(password.contains(where: \.isNumber) && !password.contains { "lIO01".contains($0) })
        }
    }
}
