// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A token that is read is canonical to the last bit: nothing that differs from it by a byte has the same parts.
enum JWTProperties {
    /// The bytes are a token, and beside it they are the JSON texts of one: header, claims and signature, one a line.
    @Sendable static func check(_ bytes: [UInt8]) throws(Violation) {
        try check(base64: bytes)
        try check(token: String(decoding: bytes, as: UTF8.self))
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return }
        let token = parts.map(Base64URL.encode).joined(separator: ".")
        try check(token: token)
        try check(token, of: Array(parts[0]), Array(parts[1]), Array(parts[2]))
    }

    private static func check(base64 bytes: [UInt8]) throws(Violation) {
        let text = Base64URL.encode(bytes)
        try require(Base64URL.decode(text).map(Array.init) == bytes, "base64url does not come back")
        let read = String(decoding: bytes, as: UTF8.self)
        guard let data = Base64URL.decode(read) else { return }
        try require(Base64URL.encode(data) == read, "base64url that is not canonical was read")
    }

    private static func check(token text: String) throws(Violation) {
        guard let token = JWT(text) else { return }
        try require(text.utf8.count <= JWT.sizeLimit, "a token beyond the limit was read")
        try require(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a token has odd characters")
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        try require(parts.count == 3, "a token has \(parts.count) parts")
        try require(
            token.signedText + "." + Base64URL.encode(token.signature) == text, "the parts are not the token")
        try require(token.signedText.hasSuffix("." + Base64URL.encode(token.payload)), "the payload is another")
        try require(JSONValue(json: token.payload) == .object(token.claims), "the claims are not the payload's")
        let header = Base64URL.decode(Substring(parts[0])).flatMap { JSONValue(json: $0) }
        try require(header?["alg"] == .string(token.header.alg), "the algorithm is another")
        try require(header?["crit"] == nil, "a token with critical members was read")
    }

    /// A token is read exactly if its header names an algorithm and its claims are an object.
    private static func check(
        _ token: String, of header: [UInt8], _ claims: [UInt8], _ signature: [UInt8]
    ) throws(Violation) {
        let header = JSONValue(json: header)?.object
        let isToken =
            header?["alg"]?.string != nil && header?["crit"] == nil && JSONValue(json: claims)?.object != nil
            && token.utf8.count <= JWT.sizeLimit
        let read = JWT(token)
        try require((read != nil) == isToken, "a token was \(isToken ? "refused" : "read")")
        try require(read.map { Array($0.signature) == signature } ?? true, "the signature is another")
    }
}
