// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// JSON from strangers.
struct JSONReaderTests {
    private func read(_ text: String) -> JSONValue? { JSONValue(json: Array(text.utf8)) }

    @Test(arguments: [
        ("null", JSONValue.null), (" \t\r\n true ", .bool(true)), ("false", .bool(false)),
        ("0", .integer(0)), ("-0", .integer(0)), ("-12", .integer(-12)),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", .number(1)), ("-0.5e-1", .number(-0.05)),
        ("1E+2", .number(100)), (#""""#, .string("")), (#""a b""#, .string("a b")),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{c}\n\r\t")), (#""\u00e5\u00E5""#, .string("åå")),
        (#""\ud83d\ude00""#, .string("😀")), (#""\u0000""#, .string("\0")), (#""å😀""#, .string("å😀")),
        ("[]", .array([])), ("[ 1 , [ ] ]", .array([.integer(1), .array([])])), ("{}", .object([:])),
        (#"{ "a" : { "b" : [ ] } , "" : null }"#, .object(["a": .object(["b": .array([])]), "": .null])),
    ])
    func valueIsRead(_ text: String, _ value: JSONValue) {
        #expect(read(text) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "nullx", "True", "1 2", "{}{}", "[1,]", "[,1]", "[1 2]", "[", "]", "[}", "{", "}", "{1:2}",
        "{a:1}",
        #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#, #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#,
        "01", "-", "+1", ".5", "5.", "1.e1", "1e", "1e+", "0x10", "1_000", "NaN", "Infinity", "-Infinity", "1e400",
        "--1",
        "'a'", #"""#, #""a"#, #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\u+123""#, #""\ud83d""#, #""\ud83dx""#,
        #""\ud83d\u0041""#, #""\ude00""#, "\"\n\"", "\"\0\"", "\"\t\"", "// a\n1", "/* */1", "1;", "\u{FEFF}{}",
        "\u{A0}1",
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test(arguments: [
        [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF], [0x22, 0xC3],
    ])
    func otherThanUTF8IsRefused(_ bytes: [UInt8]) {
        #expect(JSONValue(json: bytes) == nil)
    }

    /// JSON of another encoding would be read by some and not by others.
    @Test func otherEncodingsAreRefused() {
        #expect(JSONValue(json: [0x31, 0x00]) == nil)
        #expect(JSONValue(json: [0x00, 0x31]) == nil)
        #expect(JSONValue(json: [0xFF, 0xFE, 0x31, 0x00]) == nil)
    }

    @Test func depthHasALimit() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(read(nested(16)) != nil)
        for depth in [17, 100, 100_000] {
            let isRead = read(nested(depth)) != nil
            #expect(!isRead)
        }
        #expect(read("[" + Array(repeating: nested(15), count: 100).joined(separator: ",") + "]") != nil)
    }

    /// A text that ends early is refused wherever it ends, and never read past its end.
    @Test func everyBeginningIsRefused() {
        let text = Array(#"{"a":[true,false,null,-1.5e+10,"x\u00e5\ud83d\ude00\n"],"b":{"c":"å"}}"#.utf8)
        for end in 0..<text.count { #expect(JSONValue(json: text[..<end]) == nil) }
        #expect(JSONValue(json: text) != nil)
    }

    /// Whatever is read is read as Foundation's decoder reads it.
    @Test func agreesWithFoundation() throws {
        let seeds = [
            #"{"a":[true,false,null,-1.5e+10,"x\u00e5\n"],"b":{"c":"å","d":45035996}}"#, "[0,1,2.5,-3e2]",
        ]
        var generator = SystemRandomNumberGenerator()
        var accepted = 0
        for seed in seeds {
            for _ in 0..<3000 {
                var bytes = Array(seed.utf8)
                for _ in 0..<Int.random(in: 0...2, using: &generator) {
                    bytes[Int.random(in: bytes.indices, using: &generator)] =
                        "[]{}\",:0123456789eE+-.tfn\\u ".utf8.randomElement() ?? 0
                }
                guard let value = JSONValue(json: bytes) else { continue }
                accepted += 1
                let other = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
                #expect(other.map(normalised) == normalised(value), "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
        #expect(accepted > 100)
    }

    /// Foundation reads `1.0` as a whole number.
    private func normalised(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? value
        case .array(let elements): .array(elements.map(normalised))
        case .object(let members): .object(members.mapValues(normalised))
        default: value
        }
    }
}
