// SPDX-License-Identifier: Apache-2.0

import Wire

/// Whose tokens they are, in the words of the cache.
struct Person: Sendable, Equatable {
    let homeAccountID: String
    let realm: String
    let localAccountID: String
    let username: String

    init(_ claims: Claims, _ clientInfo: String?, authority: Authority) {
        let subject = claims.string("sub") ?? ""
        if let issuer = authority.issuer {
            // The cache does not tell upper from lower case, and knows hosts instead of issuers; subjects are of one issuer,
            // and told apart to the byte (OpenID Connect Core 1.0, section 5.7).
            realm = Self.digest(issuer)
            homeAccountID = "\(Self.digest(subject)).\(realm)"
            localAccountID = subject
            username = claims.string("preferred_username") ?? claims.string("email") ?? subject
            return
        }
        let object = claims.string("oid") ?? ""
        let info =
            clientInfo.flatMap { Base64URL.decode($0) }
            .flatMap { try? WireJSON.decode(ClientInfo.self, from: $0) }
            ?? ClientInfo(uid: object, utid: claims.string("tid") ?? "")
        homeAccountID = "\(info.uid).\(info.utid)".lowercased()
        realm = info.utid
        localAccountID = object
        username = claims.string("preferred_username") ?? subject
    }

    /// 128 bits of a SHA-256.
    private static func digest(_ text: String) -> String {
        let bytes = SHA256.digest(of: text.utf8) ?? Array(text.utf8)
        return bytes.prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
