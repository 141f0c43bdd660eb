// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The userinfo endpoint (OpenID Connect Core 1.0, section 5.3).
enum UserInfo {
    static let path = "/oidc/userinfo"

    /// The built-in attributes whose claim has a standard name; every other attribute keeps its own.
    private static let standardNames = ["givenName": "given_name", "surname": "family_name", "displayName": "name"]

    static let claims = [
        "sub", "iss", "aud", "exp", "iat", "nbf", "auth_time", "oid", "tid", "ver", "preferred_username", "email",
        "name",
        "given_name", "family_name", "city", "country", "jobTitle", "postalCode", "state", "streetAddress",
    ]

    /// What the tenant knows about a person, as claims.
    static func attributeClaims(_ account: StoredAccount) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [:]
        for (name, value) in account.attributes where !isReserved(name) {
            claims[claimName(name)] = value
        }
        claims["email"] = .string(account.username.text)
        return claims
    }

    /// An attribute's name among the claims.
    static func claimName(_ attribute: String) -> String { standardNames[attribute] ?? attribute }

    /// Whether a claim says who a token is about, by whom and for whom it was issued, or what its bearer may do; no
    /// attribute and no extension takes its name. Compared without regard to case, as some readers of tokens do.
    static func isReserved(_ name: String) -> Bool {
        reserved.contains(name.lowercased()) || name.lowercased().hasPrefix("xms_")
    }

    private static let reserved: Set<String> = [
        // In tokens of this tenant, of the service, and of RFC 8693.
        "acrs", "act", "app_displayname", "appidacr", "client_id", "cnf", "idtyp", "may_act", "scope", "scopes", "typ",
        "unique_name", "upn", "wids",
        "acr", "aio", "amr", "appid", "at_hash", "aud", "auth_time", "azp", "azpacr", "c_hash", "email",
        "email_verified", "exp", "groups", "iat", "idp", "iss", "jti", "name", "nbf", "nonce", "oid",
        "preferred_username", "rh", "roles", "scp", "sid", "sub", "tid", "uti", "ver",
    ]
}

extension IdentityProvider {
    /// The claims of the account that an access token of this tenant, for this endpoint, belongs to.
    func userInfo(_ exchange: Exchange) throws -> Answer {
        guard let header = exchange.request.headers["authorization"], let token = header.bearerToken else {
            // RFC 6750, section 3.1: no error code when no token was sent.
            return unauthorized(exchange, "Bearer", "Send an access token: 'Authorization: Bearer …'.")
        }
        guard let id = subject(of: token, exchange),
            let account = try database.transaction({ connection in try account(id, &connection) }),
            !account.status.isDisabled
        else {
            return unauthorized(
                exchange, #"Bearer error="invalid_token", error_description="The access token is not valid here""#,
                "The access token is malformed, expired, or for another resource.")
        }
        var claims = UserInfo.attributeClaims(account)
        claims["sub"] = token.claims["sub"]
        claims["oid"] = .string(account.id)
        claims["preferred_username"] = .string(account.username.text)
        claims["name"] = claims["name"] ?? .string("unknown")
        return exchange.respond(200, try JSONEncoder().encode(claims))
    }

    /// The object id in a token that holds: signed here, for this endpoint, not expired.
    private func subject(of token: JWT, _ exchange: Exchange) -> String? {
        guard keys.signed(token, at: exchange.seconds), token.claims["iss"]?.string == settings.issuer,
            token.claims["aud"]?.string == Resource.userInfo.id,
            let expiry = token.claims["exp"]?.integer, exchange.date < expiry
        else { return nil }
        return token.claims["oid"]?.string
    }

    private func unauthorized(_ exchange: Exchange, _ challenge: String, _ text: String) -> Answer {
        exchange.answer(
            refusing: Refusal(.invalidToken, description: text), status: 401, headers: ["www-authenticate": challenge])
    }
}

extension String {
    /// The token of a `Bearer` authorization header.
    fileprivate var bearerToken: JWT? {
        let parts = split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return JWT(String(parts[1]))
    }
}

extension [ClaimMapping] {
    /// The claims, from the account and from what an extension provided.
    func claims(of account: StoredAccount, _ provided: [String: JSONValue]) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [:]
        for mapping in self where !UserInfo.isReserved(mapping.claim) {
            switch mapping.source {
            case .user: claims[mapping.claim] = account.attributes[mapping.id]
            case .customClaimsProvider: claims[mapping.claim] = provided[mapping.id]
            }
        }
        return claims
    }
}
