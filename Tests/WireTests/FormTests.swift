// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Wire

/// `application/x-www-form-urlencoded`, both ways.
struct FormTests {
    @Test func bodyIsReadAndWritten() throws {
        let body = "attributes=%7B%22a%22%3A1%7D&username=mira%40lofoten.example&x=a+b%20c"
        let form = try Form(body: Array(body.utf8))
        #expect(form["username"] == "mira@lofoten.example")
        #expect(form["attributes"] == #"{"a":1}"#)
        #expect(form["x"] == "a b c")
        #expect(
            String(decoding: form.body, as: UTF8.self)
                == "attributes=%7B%22a%22%3A1%7D&username=mira%40lofoten.example&x=a+b+c")
    }

    @Test(arguments: [
        ("", [:]),
        ("a=1", ["a": "1"]),
        ("a=", ["a": ""]),
        ("a", ["a": ""]),
        ("=1", ["": "1"]),
        ("a=b=c", ["a": "b=c"]),
        ("&&a=1&&", ["a": "1"]),
        ("a+b=c+d", ["a b": "c d"]),
        ("a%20b=c%20d", ["a b": "c d"]),
        ("a=%2B%26%3D%25", ["a": "+&=%"]),
        ("a=%c3%A5", ["a": "å"]),
        ("a=å", ["a": "å"]),
        ("a=1;b=2", ["a": "1;b=2"]),
        ("a=%00", ["a": "\0"]),
        ("a=1%0D%0A", ["a": "1\r\n"]),
    ])
    func bodyIsRead(_ body: String, _ fields: [String: String]) throws {
        #expect(try Form(body: Array(body.utf8)).fields == fields)
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%2g", "%=1", "a=%%41", "a=1&b=%4", "a=%+1", "a=% 1"])
    func badPercentIsRefused(_ body: String) {
        #expect(throws: Form.Malformed.percentEncoding) { try Form(body: Array(body.utf8)) }
    }

    @Test(arguments: [
        "a=%FF", "a=%C3", "a=%C0%80", "a=%ED%A0%80", "a=%F4%90%80%80", "%FF=1",
    ])
    func otherThanUTF8IsRefused(_ body: String) {
        #expect(throws: Form.Malformed.notUTF8) { try Form(body: Array(body.utf8)) }
    }

    @Test(arguments: ["a=1&a=1", "a=1&a=2", "a&a", "a=1&b=2&%61=3", "=&="])
    func repeatIsRefused(_ body: String) throws {
        let name = body.hasPrefix("=") ? "" : "a"
        #expect(throws: Form.Malformed.repeated(name)) { try Form(body: Array(body.utf8)) }
    }

    @Test func numberOfFieldsHasALimit() throws {
        let full = (1...64).map { "f\($0)=1" }.joined(separator: "&")
        #expect(try Form(body: Array(full.utf8)).fields.count == 64)
        #expect(throws: Form.Malformed.tooManyFields) { try Form(body: Array((full + "&g=1").utf8)) }
    }

    @Test(arguments: [
        (["a": "mira@lofoten.example"], "a=mira%40lofoten.example"),
        (["a": " "], "a=+"),
        (["a": "+"], "a=%2B"),
        (["a": "-._~*"], "a=-._~%2A"),
        (["a": "å"], "a=%C3%A5"),
        (["a": "\u{1}"], "a=%01"),
        (["b": "2", "a": "1"], "a=1&b=2"),
        (["a": ""], "a="),
        ([:], ""),
    ])
    func bodyIsWritten(_ fields: [String: String], _ body: String) {
        #expect(String(decoding: Form(fields).body, as: UTF8.self) == body)
    }

    @Test func everyByteComesBack() throws {
        let text = String(String.UnicodeScalarView((0..<0x250).compactMap(Unicode.Scalar.init)))
        #expect(try Form(body: Form(["a": text, text: "b"]).body).fields == ["a": text, text: "b"])
    }
}
