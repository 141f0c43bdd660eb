// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// What is written is what Foundation would write, and reads as what it was.
struct JSONWriterTests {
    static let values: [JSONValue] = [
        .null, .bool(true), .bool(false), .integer(0), .integer(.min), .integer(.max), .number(1.5), .number(-0.25),
        .number(1e300), .string(""), .string("a/b \"c\" \\d"), .string("\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \u{7F}"),
        .string("Ærlig 李 👩‍🔬 e\u{301}\u{2028}"), .array([]), .array([.integer(1), .array([.null]), .string("x")]),
        .object([:]), .object(["b": .integer(1), "a": .object(["z": .null, "é": .bool(true)]), "A": .array([])]),
    ]

    @Test(arguments: values)
    func isAsFoundationWrites(_ value: JSONValue) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(value.json == Array(try encoder.encode(value)), "\(String(decoding: value.json, as: UTF8.self))")
        #expect(try JSONValue(reading: value.json) == value)
    }
}
