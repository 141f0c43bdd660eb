// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import FoundationEssentials
import TenantTesting
import Testing
import Wire

@testable import NativeAuth
@testable import Tenant

/// Which ID tokens are believed.
struct IDTokenTests {
    private static let now: Int64 = 1_773_480_600

    private func check(
        _ token: String, keys: [KeySet.Key] = [Issuer.shared.key], audience: String = Fjordshop.clientID,
        at now: Int64 = now
    ) -> AuthError.IDTokenProblem? {
        let check = IDTokenCheck(
            issuer: Fjordshop.issuer, audience: audience, keys: keys,
            now: Date(timeIntervalSince1970: TimeInterval(now)))
        do {
            _ = try check.claims(of: token)
            return nil
        } catch {
            if case .untrustedIDToken(let problem) = error.reason { return problem }
            return .missing("\(error)")
        }
    }

    @Test func rightTokenIsBelieved() {
        #expect(check(Issuer.shared.idToken()) == nil)
        #expect(check(Issuer.shared.idToken { $0["aud"] = .array([.string(Fjordshop.clientID)]) }) == nil)
        #expect(check(Issuer.shared.idToken { $0["nbf"] = nil }) == nil)
    }

    /// Client ids are GUIDs, and those have two spellings.
    @Test func caseOfTheClientIDDoesNotCount() {
        #expect(check(Issuer.shared.idToken(), audience: Fjordshop.clientID.uppercased()) == nil)
    }

    // MARK: - Signatures

    /// A token with a header and a signature of one's own.
    private static func forged(
        _ header: String, _ payload: String? = nil, signature: (String) -> [UInt8] = { _ in [] }
    ) -> String {
        let payload = payload ?? String(decoding: (try? JSONEncoder().encode(Issuer.claims())) ?? Data(), as: UTF8.self)
        let text = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
        return text + "." + Base64URL.encode(signature(text))
    }

    private static let kid = Issuer.shared.key.kid ?? ""

    /// HMAC-SHA-256 with the published modulus as its key, by libsodium's construction from SHA-256 (RFC 2104).
    private static func hmac(_ text: String, key: [UInt8]) -> [UInt8] {
        let short = key.count > 64 ? Digest.sha256(key) : key
        let block = short + [UInt8](repeating: 0, count: 64 - short.count)
        return Digest.sha256(block.map { $0 ^ 0x5c } + Digest.sha256(block.map { $0 ^ 0x36 } + Array(text.utf8)))
    }

    @Test(
        "Rule 78: an algorithm other than RS256 is refused",
        arguments: ["none", "None", "", "HS256", "HS512", "RS384", "RS512", "PS256", "ES256", "rs256", "RS256 "])
    func otherAlgorithmsAreRefused(_ algorithm: String) {
        let key = Array(Base64URL.decode(Issuer.shared.key.n ?? "") ?? Data())
        let header = #"{"alg":"\#(algorithm)","kid":"\#(Self.kid)"}"#
        for sign in [{ _ in [] }, { Self.hmac($0, key: key) }] as [(String) -> [UInt8]] {
            #expect(check(Self.forged(header, signature: sign)) == .algorithm(algorithm))
        }
        // The real signature does not help.
        let parts = Issuer.shared.idToken().split(separator: ".")
        #expect(check("\(Base64URL.encode(header.utf8)).\(parts[1]).\(parts[2])") == .algorithm(algorithm))
    }

    @Test("Rule 78: an HMAC made with the public key is refused") func hmacWithThePublicKeyIsRefused() {
        let key = Array(Base64URL.decode(Issuer.shared.key.n ?? "") ?? Data())
        let header = #"{"alg":"RS256","kid":"\#(Self.kid)"}"#
        #expect(check(Self.forged(header) { Self.hmac($0, key: key) }) == .signature)
    }

    @Test("Rule 79: a key inside the token is ignored") func keyInsideTheTokenIsIgnored() throws {
        let stranger = Issuer.stranger
        let parts = stranger.idToken().split(separator: ".")
        let key = stranger.key
        let jwk = #"{"kty":"RSA","n":"\#(key.n ?? "")","e":"\#(key.e ?? "")"}"#
        for extra in [#""jwk":\#(jwk)"#, #""jku":"https://evil.example/keys""#, #""x5u":"https://evil.example/x""#] {
            let header = #"{"alg":"RS256","kid":"\#(Self.kid)",\#(extra)}"#
            let token = Self.forged(header) { text in
                var out = [UInt8](repeating: 0, count: Int(NA_RSA_MAX))
                let der = stranger.signer.der
                guard let key = na_rsa_from_der(der, der.count) else { return [] }
                defer { na_rsa_free(key) }
                let message = Array(text.utf8)
                return Array(out[..<na_rs256_sign(key, message, message.count, &out)])
            }
            #expect(check(token) == .signature)
            #expect(token.split(separator: ".").count == parts.count)
        }
    }

    @Test func otherSignaturesAreRefused() {
        let token = Issuer.shared.idToken()
        let parts = token.split(separator: ".").map(String.init)
        #expect(check(Issuer.stranger.idToken()) == .unknownKey)
        let signature = Array(Base64URL.decode(parts[2]) ?? Data())
        var variants: [[UInt8]] = [[], [0], Array(signature.dropLast()), signature + [0], [0] + signature]
        variants += [[UInt8](repeating: 0, count: 256), [UInt8](repeating: 255, count: 256)]
        variants += [0, 100, 255].map { index in
            var changed = signature
            changed[index] ^= 1
            return changed
        }
        for variant in variants {
            #expect(check("\(parts[0]).\(parts[1]).\(Base64URL.encode(variant))") == .signature)
        }
    }

    @Test func tamperedTokenIsRefused() {
        let parts = Issuer.shared.idToken().split(separator: ".").map(String.init)
        let other = Issuer.shared.idToken { $0["oid"] = .string("someone-else") }.split(separator: ".").map(String.init)
        #expect(check("\(parts[0]).\(other[1]).\(parts[2])") == .signature)
        let header = Base64URL.encode(#"{"alg":"RS256","kid":"\#(Self.kid)","typ":"JWT" }"#.utf8)
        #expect(check("\(header).\(parts[1]).\(parts[2])") == .signature)
    }

    @Test(arguments: [
        #"{"alg":"RS256"}"#, #"{"alg":"RS256","kid":""}"#, #"{"alg":"RS256","kid":"other"}"#,
        #"{"alg":"RS256","kid":"../../x"}"#,
    ])
    func otherKeyIDsAreRefused(_ header: String) {
        let parts = Issuer.shared.idToken().split(separator: ".")
        #expect(check("\(Base64URL.encode(header.utf8)).\(parts[1]).\(parts[2])") == .unknownKey)
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c", "....", "not a token"])
    func otherTextIsRefused(_ text: String) {
        #expect(check(text) == .malformed)
    }

    /// Keys that no tenant of ours would publish.
    @Test("Rule 85: weak keys are refused") func weakKeysAreRefused() throws {
        func key(_ n: [UInt8], _ e: [UInt8]) throws -> KeySet.Key {
            try WireJSON.decode(
                KeySet.self,
                from: Data(Issuer.keys(kid: Self.kid, n: Base64URL.encode(n), e: Base64URL.encode(e)).utf8)
            ).keys[1]
        }
        let n = Array(Base64URL.decode(Issuer.shared.key.n ?? "") ?? Data())
        let token = Issuer.shared.idToken()
        #expect(check(token, keys: [try key(n, [1, 0, 1])]) == nil)
        for exponent in [[], [0], [1], [2], [1, 0, 0], [0, 0, 1], [UInt8](repeating: 255, count: 9)] {
            #expect(check(token, keys: [try key(n, exponent)]) == .signature)
        }
        for modulus in [[], [0], Array(n.prefix(128)), [UInt8](repeating: 0, count: 256), n + n + n + n + n] {
            #expect(check(token, keys: [try key(modulus, [1, 0, 1])]) == .signature)
        }
        // A real key of 1024 bits, and a real signature with it.
        let short = try #require(na_rsa_generate(1024))
        defer { na_rsa_free(short) }
        var modulus = [UInt8](repeating: 0, count: Int(NA_RSA_MAX))
        modulus = Array(modulus[..<na_rsa_modulus(short, &modulus)])
        let signed = Self.forged(#"{"alg":"RS256","kid":"\#(Self.kid)"}"#) { text in
            var out = [UInt8](repeating: 0, count: Int(NA_RSA_MAX))
            let message = Array(text.utf8)
            return Array(out[..<na_rs256_sign(short, message, message.count, &out)])
        }
        #expect(modulus.count == 128)
        #expect(check(signed, keys: [try key(modulus, [1, 0, 1])]) == .signature)
    }

    @Test func keyForEncryptionIsNotUsed() {
        var key = Issuer.shared.key
        key.use = "enc"
        #expect(check(Issuer.shared.idToken(), keys: [key]) == .unknownKey)
        key.use = nil
        #expect(check(Issuer.shared.idToken(), keys: [key]) == nil)
        key.kty = "EC"
        #expect(check(Issuer.shared.idToken(), keys: [key]) == .unknownKey)
    }

    // MARK: - Claims

    struct Claim: Sendable, CustomTestStringConvertible {
        let name: String
        let value: JSONValue?
        let problem: AuthError.IDTokenProblem
        var testDescription: String { "\(name) \(value.map { "\($0)" } ?? "missing")" }

        init(_ name: String, _ value: JSONValue?, _ problem: AuthError.IDTokenProblem) {
            self.name = name
            self.value = value
            self.problem = problem
        }
    }

    static let claims: [Claim] = [
        Claim("iss", nil, .issuer), Claim("iss", .string(""), .issuer),
        Claim("iss", .string("https://evil.ciamlogin.com/\(Fjordshop.tenantID)/v2.0"), .issuer),
        Claim("iss", .string(Fjordshop.issuer + "/"), .issuer),
        Claim("iss", .array([.string(Fjordshop.issuer)]), .issuer),
        Claim("aud", nil, .audience), Claim("aud", .string("00000003-0000-0000-c000-000000000000"), .audience),
        Claim("aud", .array([]), .audience), Claim("aud", .integer(1), .audience),
        Claim("aud", .array([.string(Fjordshop.clientID), .string("another")]), .audience),
        Claim("sub", nil, .missing("sub")), Claim("sub", .string(""), .missing("sub")),
        Claim("sub", .integer(1), .missing("sub")),
        Claim("oid", nil, .missing("oid")), Claim("oid", .string(""), .missing("oid")),
        Claim("tid", nil, .missing("tid")), Claim("tid", .null, .missing("tid")),
        Claim("exp", nil, .missing("exp")), Claim("exp", .string("1773484200"), .missing("exp")),
        Claim("exp", .null, .missing("exp")), Claim("exp", .number(0.5), .missing("exp")),
        Claim("iat", nil, .missing("iat")), Claim("iat", .bool(true), .missing("iat")),
        Claim("exp", .integer(now - 301), .clock(seconds: 301)),
        Claim("exp", .integer(now - 86400), .clock(seconds: 86400)),
        Claim("nbf", .integer(now + 301), .clock(seconds: -301)),
        Claim("iat", .integer(now + 301), .clock(seconds: -301)),
        Claim("exp", .integer(.min), .clock(seconds: 1_000_000_000_000)),
        Claim("nbf", .integer(.max), .clock(seconds: -1_000_000_000_000)),
    ]

    @Test("Rule 82: a wrong claim is refused", arguments: claims)
    func wrongClaimIsRefused(_ claim: Claim) {
        #expect(check(Issuer.shared.idToken { $0[claim.name] = claim.value }) == claim.problem)
    }

    /// Five minutes of difference between the clocks are forgiven, and not a second more.
    @Test(arguments: [("exp", Int64(-300)), ("exp", -299), ("nbf", 300), ("nbf", 299), ("iat", 300)])
    func clocksMayDifferALittle(_ name: String, _ seconds: Int64) {
        #expect(check(Issuer.shared.idToken { $0[name] = .integer(Self.now + seconds) }) == nil)
    }
}
