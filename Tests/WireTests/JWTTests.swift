// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// Base64url, as strict as JOSE wants it (RFC 7515, appendix C).
struct Base64URLTests {
    @Test(arguments: [
        ("", []), ("AA", [0]), ("_w", [255]), ("-_8", [0xfb, 0xff]), ("AQID", [1, 2, 3]),
        ("Zm9vYg", Array("foob".utf8)),
    ])
    func textIsRead(_ text: String, _ bytes: [UInt8]) {
        #expect(Base64URL.decode(text).map(Array.init) == bytes)
        #expect(Base64URL.encode(bytes) == text)
    }

    @Test(arguments: [
        "A", "AAAAA", "AA==", "AA=", "=", " AA", "AA ", "A A", "A\nA", "AA\n", "+w", "/w", "-_+/", "å", "AA.", "%41",
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    /// Bits that are left over have to be zero, or one value would have several texts.
    @Test("Rule 84: bits that are left over are refused", arguments: ["AB", "AP", "Zh", "AAB", "AAD", "Zm9vYh"])
    func leftOverBitsAreRefused(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func everyLengthComesBack() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)).map(Array.init) == bytes)
        }
    }
}

/// Tokens taken apart.
struct JWTTests {
    private static func part(_ json: String) -> String { Base64URL.encode(json.utf8) }

    private static let head = part(#"{"alg":"RS256","kid":"k","typ":"JWT"}"#)
    private static let body = part(#"{"iss":"i","exp":5}"#)

    @Test func tokenIsTakenApart() throws {
        let token = try #require(JWT("\(Self.head).\(Self.body).AQI"))
        #expect(token.header == JWT.Header(alg: "RS256", kid: "k", typ: "JWT"))
        #expect(token.claims == ["iss": .string("i"), "exp": .integer(5)])
        #expect(token.signedText == "\(Self.head).\(Self.body)")
        #expect(Array(token.signature) == [1, 2])
        #expect(token.payload == Data(#"{"iss":"i","exp":5}"#.utf8))
    }

    static let malformed: [String] = [
        "", ".", "..", "...", "a.b", "a.b.c.d", "\(head).\(body)", "\(head).\(body).AQI.", ".\(head).\(body).AQI",
        "\(head).\(body).AQI=", "\(head).\(body). AQI", "\(head).\(body).AQ I", "\(head)=.\(body).AQI",
        "\(head).\(body).AB",
        "\(head).\(part("[]")).AQI", "\(head).\(part("1")).AQI", "\(head).\(part("")).AQI", "\(head).\(part("{")).AQI",
        "\(part("{}")).\(body).AQI", "\(part(#"{"alg":5}"#)).\(body).AQI",
        "\(part("garbage")).\(body).AQI",
    ]

    @Test(arguments: malformed)
    func otherTextIsRefused(_ text: String) {
        #expect(JWT(text) == nil)
    }

    /// A header that demands an extension nobody here knows (RFC 7515, section 4.1.11).
    @Test func criticalExtensionIsRefused() {
        #expect(JWT("\(Self.part(#"{"alg":"RS256","crit":["exp"],"exp":1}"#)).\(Self.body).AQI") == nil)
    }

    @Test("Rule 84: deep nesting is refused", arguments: [100, 500])
    func deepNestingIsRefused(_ depth: Int) {
        let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let isRead = JWT("\(Self.head).\(Self.part(#"{"a":\#(deep)}"#)).AQI") != nil
        #expect(!isRead)
    }

    @Test("Rule 84: the size has a limit") func sizeHasALimit() {
        func token(_ size: Int) -> String {
            let rest = size - Self.head.count - Self.body.count - 2
            return "\(Self.head).\(Self.body)." + String(repeating: "A", count: rest)
        }
        #expect(token(JWT.sizeLimit).utf8.count == 65536)
        #expect(JWT(token(JWT.sizeLimit)) != nil || JWT(token(JWT.sizeLimit - 1)) != nil)
        #expect(JWT(token(JWT.sizeLimit + 1)) == nil)
        #expect(JWT(token(JWT.sizeLimit + 2)) == nil)
        #expect(JWT(token(JWT.sizeLimit + 3)) == nil)
    }
}
