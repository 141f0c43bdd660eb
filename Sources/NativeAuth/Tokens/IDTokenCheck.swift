// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import FoundationEssentials
import Wire

/// The checks of an ID token (OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725). Pure: keys and time are given.
struct IDTokenCheck: Sendable {
    let issuer: String
    let audience: String
    let keys: [KeySet.Key]
    let now: Date
    /// How far apart the clocks may be, in seconds. Microsoft's libraries allow as much.
    var skew: TimeInterval = 300
    /// Whether it says which object of which tenant the account is, as tokens of tenants do.
    var isOfTenant = true

    /// The token's claims, if all is well.
    func claims(of text: String) throws(AuthError) -> Claims {
        guard let token = JWT(text) else { throw untrusted(.malformed) }
        // One algorithm: "none" and the HMAC family would let anyone sign with what is public (RFC 8725, 3.1).
        guard token.header.alg == "RS256" else { throw untrusted(.algorithm(token.header.alg)) }
        try checkSignature(of: token)
        guard token.claims["iss"]?.string == issuer else { throw untrusted(.issuer) }
        let claims = Claims(token)
        guard isForAudience(claims.strings("aud")) else { throw untrusted(.audience) }
        for name in isOfTenant ? ["sub", "oid", "tid"] : ["sub"] where claims.string(name)?.isEmpty != false {
            throw untrusted(.missing(name))
        }
        try checkTimes(of: claims)
        return claims
    }

    /// Client ids of tenants are numbers, in either case; others are compared as they are.
    private func isForAudience(_ named: [String]) -> Bool {
        isOfTenant ? named.map { $0.lowercased() } == [audience.lowercased()] : named == [audience]
    }

    private func checkSignature(of token: JWT) throws(AuthError) {
        guard let key = keys.first(where: { $0.kty == "RSA" && $0.kid == token.header.kid && $0.use != "enc" }),
            let modulus = Base64URL.decode(key.n ?? ""), let exponent = Base64URL.decode(key.e ?? "")
        else { throw untrusted(.unknownKey) }
        guard RS256.verifies(token.signature, of: token.signedText, modulus: modulus, exponent: exponent) else {
            throw untrusted(.signature)
        }
    }

    private func checkTimes(of claims: Claims) throws(AuthError) {
        guard let expiry = claims.date("exp") else { throw untrusted(.missing("exp")) }
        guard let issued = claims.date("iat") else { throw untrusted(.missing("iat")) }
        let late = now.timeIntervalSince(expiry)
        let early = max(issued, claims.date("nbf") ?? issued).timeIntervalSince(now)
        // A hostile token may name any time, more than an `Int` holds.
        if late > skew { throw untrusted(.clock(seconds: Int(min(late, 1e12)))) }
        if early > skew { throw untrusted(.clock(seconds: -Int(min(early, 1e12)))) }
    }

    private func untrusted(_ problem: AuthError.IDTokenProblem) -> AuthError {
        AuthError(.untrustedIDToken(problem))
    }
}

/// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518, section 3.3).
enum RS256 {
    static func verifies(_ signature: Data, of text: String, modulus: Data, exponent: Data) -> Bool {
        let message = Array(text.utf8)
        let n = Array(modulus)
        let e = Array(exponent)
        let s = Array(signature)
        return na_rs256_verify(n, n.count, e, e.count, message, message.count, s, s.count) == 1
    }
}
