// SPDX-License-Identifier: Apache-2.0

/// The calls of `/oauth2/v2.0` that lead to tokens.
package enum SignIn {
    /// Opens a sign-in.
    package struct Initiate: Call {
        package typealias Reply = Continuation
        package static let path = "/oauth2/v2.0/initiate"

        package var clientId: String
        package var username: String
        package var challengeType: Words<ChallengeType>
        package var capabilities: Words<Capability>?

        package init(
            clientId: String, username: String, challengeType: Words<ChallengeType>,
            capabilities: Words<Capability>? = nil
        ) {
            self.clientId = clientId
            self.username = username
            self.challengeType = challengeType
            self.capabilities = capabilities
        }
    }

    /// Lets the server choose the first factor, or names the second; sends the code if it is one.
    package struct Challenge: Call {
        package typealias Reply = ChallengeReply
        package static let path = "/oauth2/v2.0/challenge"

        package var clientId: String
        package var continuationToken: String
        package var challengeType: Words<ChallengeType>?
        /// The method of a second factor, by its id from `introspect`.
        package var id: String?

        package init(
            clientId: String, continuationToken: String, challengeType: Words<ChallengeType>? = nil, id: String? = nil
        ) {
            self.clientId = clientId
            self.continuationToken = continuationToken
            self.challengeType = challengeType
            self.id = id
        }
    }

    /// Lists the methods for a second factor.
    package struct Introspect: Call {
        package typealias Reply = Methods
        package static let path = "/oauth2/v2.0/introspect"

        package var clientId: String
        package var continuationToken: String

        package init(clientId: String, continuationToken: String) {
            self.clientId = clientId
            self.continuationToken = continuationToken
        }
    }

    /// Exchanges a proof for tokens.
    package struct Token: Call {
        package typealias Reply = Tokens
        package static let path = "/oauth2/v2.0/token"

        package var clientId: String
        package var grantType: GrantType
        package var continuationToken: String?
        package var scope: Words<Scope>?
        package var username: String?
        package var password: String?
        package var oob: String?
        package var refreshToken: String?
        package var clientInfo: String?
        package var challengeType: Words<ChallengeType>?
        /// A claims request (OpenID Connect Core 1.0, section 5.5): JSON as text.
        package var claims: String?
        /// What a browser brought, where it brought it to, and the secret behind the challenge (RFC 7636, section 4.5).
        package var code: String?
        package var redirectUri: String?
        package var codeVerifier: String?
        package var deviceCode: String?

        package init(
            clientId: String, grantType: GrantType, continuationToken: String? = nil, scope: Words<Scope>? = nil,
            username: String? = nil, password: String? = nil, oob: String? = nil, refreshToken: String? = nil,
            clientInfo: String? = nil, challengeType: Words<ChallengeType>? = nil, claims: String? = nil,
            code: String? = nil, redirectUri: String? = nil, codeVerifier: String? = nil, deviceCode: String? = nil
        ) {
            self.clientId = clientId
            self.grantType = grantType
            self.continuationToken = continuationToken
            self.scope = scope
            self.username = username
            self.password = password
            self.oob = oob
            self.refreshToken = refreshToken
            self.clientInfo = clientInfo
            self.challengeType = challengeType
            self.claims = claims
            self.code = code
            self.redirectUri = redirectUri
            self.codeVerifier = codeVerifier
            self.deviceCode = deviceCode
        }
    }
}
