// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import FoundationEssentials
package import Wire

/// The tenant's signing key.
package final class Signer: Sendable {
    /// OpenSSL counts references with atomics, and signing does not change the key.
    private nonisolated(unsafe) let key: OpaquePointer
    let kid: String
    /// The first part of each of its tokens.
    private let header: String
    private let modulus: [UInt8]
    private let exponent: [UInt8]

    private init?(_ key: OpaquePointer?) {
        guard let key else { return nil }
        modulus = Self.number { na_rsa_modulus(key, $0) }
        exponent = Self.number { na_rsa_exponent(key, $0) }
        self.key = key
        // RFC 7638: the SHA-256 of the key's required members in lexicographic order.
        let members = #"{"e":"\#(Base64URL.encode(exponent))","kty":"RSA","n":"\#(Base64URL.encode(modulus))"}"#
        kid = Base64URL.encode(Digest.sha256(members.utf8))
        header = Base64URL.encode(
            JSONValue.json(["alg": .string("RS256"), "kid": .string(kid), "typ": .string("JWT")]))
    }

    private static func number(_ write: (UnsafeMutablePointer<UInt8>?) -> Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(NA_RSA_MAX)) { buffer, count in count = write(buffer.baseAddress) }
    }

    /// A new RSA-2048 key.
    package static func generate() -> Signer? {
        Signer(na_rsa_generate(2048))
    }

    /// A key as ``der`` wrote it.
    convenience init?(der: [UInt8]) {
        self.init(na_rsa_from_der(der, der.count))
    }

    deinit {
        na_rsa_free(key)
    }

    /// PKCS #8.
    var der: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: na_rsa_to_der(key, nil, 0))
        _ = na_rsa_to_der(key, &bytes, bytes.count)
        return bytes
    }

    package var keySet: KeySet {
        KeySet(keys: [.init(kid: kid, n: Base64URL.encode(modulus), e: Base64URL.encode(exponent))])
    }

    /// A signed token (RFC 7515, section 3.1) with these claims.
    package func sign(_ claims: [String: JSONValue]) throws -> String {
        try complete(unsigned(claims))
    }

    /// A token without its signature: what it is made over.
    func unsigned(_ claims: [String: JSONValue]) -> String {
        header + "." + Base64URL.encode(JSONValue.json(claims))
    }

    /// The token with its signature.
    func complete(_ text: String) throws -> String {
        let message = Array(text.utf8)
        var signature = [UInt8](repeating: 0, count: Int(NA_RSA_MAX))
        let length = na_rs256_sign(key, message, message.count, &signature)
        guard length > 0 else { throw CannotSign() }
        return text + "." + Base64URL.encode(signature[..<length])
    }

    /// Whether this key signed the token.
    func signed(_ token: JWT) -> Bool {
        let message = Array(token.signedText.utf8)
        let signature = Array(token.signature)
        return token.header.alg == "RS256" && token.header.kid == kid
            && na_rs256_verify(
                modulus, modulus.count, exponent, exponent.count, message, message.count, signature, signature.count)
                == 1
    }

    struct CannotSign: Error {}
}
