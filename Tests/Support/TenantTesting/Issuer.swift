// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import Tenant
package import Wire

/// A tenant's signing key, and tokens made with it.
package struct Issuer: Sendable {
    package let signer: Signer

    /// Making a key takes long, so all tests share these two.
    package static let shared = Issuer()
    package static let stranger = Issuer()

    private init() {
        guard let signer = Signer.generate() else { preconditionFailure("no RSA key") }
        self.signer = signer
    }

    /// What the tenant of the examples publishes.
    package var documents: [String: String] {
        [
            "/.well-known/openid-configuration": Self.description(),
            "/discovery/v2.0/keys": keys,
        ]
    }

    package static func description(
        issuer: String = Fjordshop.issuer,
        keys: String = "https://fjordshop.ciamlogin.com/\(Fjordshop.tenantID)/discovery/v2.0/keys", more: String = ""
    ) -> String {
        let endpoint = "https://fjordshop.ciamlogin.com/\(Fjordshop.tenantID)/oauth2/v2.0/token"
        return #"{"issuer":"\#(issuer)","token_endpoint":"\#(endpoint)","jwks_uri":"\#(keys)"\#(more)}"#
    }

    package var key: KeySet.Key { signer.keySet.keys[0] }

    package var keys: String { Self.keys(kid: key.kid ?? "", n: key.n ?? "", e: key.e ?? "") }

    package static func keys(kid: String, n: String, e: String) -> String {
        #"{"keys":[{"kty":"EC","kid":"other","crv":"P-256"},{"kty":"RSA","use":"sig","kid":"\#(kid)","n":"\#(n)","e":"\#(e)"}]}"#
    }

    /// The claims of the example, at the examples' time.
    package static func claims(at now: Int64 = 1_773_480_600) -> [String: JSONValue] {
        [
            "ver": .string("2.0"), "iss": .string(Fjordshop.issuer), "aud": .string(Fjordshop.clientID),
            "iat": .integer(now), "nbf": .integer(now), "exp": .integer(now + 3600), "sub": .string("xQ0q3m9"),
            "oid": .string(Fjordshop.objectID), "tid": .string(Fjordshop.tenantID), "name": .string("Mira L"),
            "preferred_username": .string(Fjordshop.mira),
        ]
    }

    package func idToken(_ change: (inout [String: JSONValue]) -> Void = { _ in }, at now: Int64 = 1_773_480_600)
        -> String
    {
        var claims = Self.claims(at: now)
        change(&claims)
        return (try? signer.sign(claims)) ?? ""
    }

    /// The answer of the token endpoint, for another person than the example's.
    package func tokens(of name: String, objectID: String, at now: Int64 = 1_773_480_600) -> String {
        let id = idToken(
            { claims in
                claims["oid"] = .string(objectID)
                claims["preferred_username"] = .string(name)
            }, at: now)
        return tokens(access: "AT.\(name)", refresh: "RT.\(name)", id: id, objectID: objectID, at: now)
    }

    /// The answer of the token endpoint.
    package func tokens(
        access: String = "AT1.secret", refresh: String? = "RT1.secret", scope: String = "openid profile offline_access",
        expiresIn: String = "4523", more: String = "", id: String? = nil,
        objectID: String = Fjordshop.objectID, at now: Int64 = 1_773_480_600
    ) -> String {
        let info = Base64URL.encode(#"{"uid":"\#(objectID)","utid":"\#(Fjordshop.tenantID)"}"#.utf8)
        let secret = refresh.map { #""refresh_token":"\#($0)","# } ?? ""
        return """
            {"token_type":"Bearer","scope":"\(scope)","expires_in":\(expiresIn),"ext_expires_in":\(expiresIn),\(secret)
             "access_token":"\(access)","id_token":"\(id ?? idToken(at: now))","client_info":"\(info)"\(more)}
            """
    }
}
