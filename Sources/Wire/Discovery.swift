// SPDX-License-Identifier: Apache-2.0

/// The OpenID provider's description of itself (OpenID Connect Discovery 1.0, section 3).
package struct ProviderConfiguration: Codable, Sendable, Equatable {
    package static let path = "/v2.0/.well-known/openid-configuration"

    package var issuer: String
    package var tokenEndpoint: String
    package var jwksUri: String
    package var authorizationEndpoint: String?
    package var userinfoEndpoint: String?
    /// Where tokens are given back (RFC 8414, section 2; RFC 7009), and how clients prove who they are there.
    package var revocationEndpoint: String?
    package var revocationEndpointAuthMethodsSupported: [String]?
    /// Where APIs ask what a token is worth (RFC 8414, section 2; RFC 7662).
    package var introspectionEndpoint: String?
    package var introspectionEndpointAuthMethodsSupported: [String]?
    /// Where a session is ended (OpenID Connect RP-Initiated Logout 1.0, section 2.1).
    package var endSessionEndpoint: String?
    package var responseTypesSupported: [String]?
    package var subjectTypesSupported: [String]?
    package var idTokenSigningAlgValuesSupported: [String]?
    package var scopesSupported: [String]?
    package var claimsSupported: [String]?
    package var grantTypesSupported: [String]?
    package var responseModesSupported: [String]?
    /// RFC 8414, section 2; RFC 7636.
    package var codeChallengeMethodsSupported: [String]?
    package var tokenEndpointAuthMethodsSupported: [String]?
    package var promptValuesSupported: [String]?
    package var claimsParameterSupported: Bool?
    package var requestParameterSupported: Bool?
    package var requestUriParameterSupported: Bool?
    /// Whether answers of the authorization endpoint say whose they are (RFC 9207, section 3).
    package var authorizationResponseIssParameterSupported: Bool?
    /// RFC 8628, section 4.
    package var deviceAuthorizationEndpoint: String?

    package init(issuer: String, tokenEndpoint: String, jwksUri: String) {
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
        self.jwksUri = jwksUri
    }
}

/// The published signing keys (RFC 7517, section 5).
package struct KeySet: Codable, Sendable, Equatable {
    package static let path = "/discovery/v2.0/keys"

    package var keys: [Key]

    package init(keys: [Key]) {
        self.keys = keys
    }

    /// An RSA public key (RFC 7518, section 6.3); other key types keep their `kty` and are passed over.
    package struct Key: Codable, Sendable, Equatable {
        package var kty: String
        package var use: String?
        package var alg: String?
        package var kid: String?
        package var n: String?
        package var e: String?

        package init(kid: String, n: String, e: String) {
            kty = "RSA"
            use = "sig"
            alg = "RS256"
            self.kid = kid
            self.n = n
            self.e = e
        }
    }
}
