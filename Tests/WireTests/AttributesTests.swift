// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// The `attributes` field: a JSON object inside a form field.
struct AttributesTests {
    private func read(_ text: String) -> Attributes? {
        try? Form(["client_id": "1", "continuation_token": "C", "grant_type": "attributes", "attributes": text])
            .call(SignUp.Continue.self).attributes
    }

    @Test(arguments: [
        ("{}", [:]),
        (#"{"displayName":"Mira L"}"#, ["displayName": JSONValue.string("Mira L")]),
        (#" { "a" : "1" } "#, ["a": .string("1")]),
        (
            #"{"age":43,"news":true,"none":null,"half":0.5}"#,
            ["age": .integer(43), "news": .bool(true), "none": .null, "half": .number(0.5)]
        ),
        (#"{"å":"\u00e5\n"}"#, ["å": .string("å\n")]),
        (#"{"n":"1"}"#, ["n": .string("1")]),
    ])
    func objectIsRead(_ text: String, _ values: [String: JSONValue]) {
        #expect(read(text)?.values == values)
    }

    @Test(arguments: [
        "[]", "1", "null", #""text""#, "{", "{]", "{}{}", #"{a:1}"#, #"{"a":}"#, "displayName=Mira", #"{"a":1"#,
    ])
    func otherThanAnObjectIsRefused(_ text: String) {
        #expect(read(text) == nil)
    }

    /// Reading deep nesting takes stack, of which a server's thread has little.
    @Test(arguments: [100, 511, 2000])
    func deepNestingIsRefused(_ depth: Int) {
        let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let isRead = read(#"{"a":\#(arrays)}"#) != nil
        #expect(!isRead)
        let objects = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        let isReadToo = read(objects) != nil
        #expect(!isReadToo)
    }

    @Test func bracketsInTextAreNoNesting() {
        let text = String(repeating: "[{", count: 100) + #"\""#
        #expect(read(#"{"a":"\#(text)"}"#)?.values == ["a": .string(String(repeating: "[{", count: 100) + "\"")])
    }

    @Test func objectIsWrittenSortedAndPlain() throws {
        let call = SignUp.Continue(
            clientId: "1", continuationToken: "C", grantType: .attributes,
            attributes: Attributes(["b": .string("x/y"), "a": .bool(true), "c": .integer(7)]))
        #expect(try Form(call)["attributes"] == #"{"a":true,"b":"x/y","c":7}"#)
    }
}

/// Any JSON, kept as it is.
struct JSONValueTests {
    @Test(arguments: [
        ("null", JSONValue.null), ("true", .bool(true)), ("0", .integer(0)), ("1", .integer(1)), ("-7", .integer(-7)),
        ("9223372036854775807", .integer(.max)), ("0.25", .number(0.25)), (#""1""#, .string("1")), ("[]", .array([])),
        ("[true,1,null]", .array([.bool(true), .integer(1), .null])), (#"{"a":{}}"#, .object(["a": .object([:])])),
    ])
    func valueComesBack(_ json: String, _ value: JSONValue) throws {
        let read = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        #expect(read == value)
        #expect(String(decoding: try JSONEncoder().encode(read), as: UTF8.self) == json)
    }

    @Test func wordsOfAListKeepTheirOrderAndText() throws {
        let form = Form(["client_id": "1", "username": "a", "challenge_type": "redirect  magic oob"])
        let call = try form.call(SignIn.Initiate.self)
        #expect(call.challengeType.elements.map(\.rawValue) == ["redirect", "magic", "oob"])
        #expect(call.challengeType.contains(.oob))
        #expect(try Form(call)["challenge_type"] == "redirect magic oob")
    }
}
