// SPDX-License-Identifier: Apache-2.0

/// The calls of `/signup/v1.0`.
package enum SignUp {
    /// Opens a sign-up. No mail is sent yet.
    package struct Start: Call {
        package typealias Reply = Continuation
        package static let path = "/signup/v1.0/start"

        package var clientId: String
        package var username: String
        package var challengeType: Words<ChallengeType>
        package var password: String?
        package var attributes: Attributes?
        package var capabilities: Words<Capability>?

        package init(
            clientId: String, username: String, challengeType: Words<ChallengeType>, password: String? = nil,
            attributes: Attributes? = nil, capabilities: Words<Capability>? = nil
        ) {
            self.clientId = clientId
            self.username = username
            self.challengeType = challengeType
            self.password = password
            self.attributes = attributes
            self.capabilities = capabilities
        }
    }

    /// Sends a code, sends it again, or asks what is wanted next.
    package struct Challenge: Call {
        package typealias Reply = ChallengeReply
        package static let path = "/signup/v1.0/challenge"

        package var clientId: String
        package var continuationToken: String
        package var challengeType: Words<ChallengeType>?

        package init(clientId: String, continuationToken: String, challengeType: Words<ChallengeType>? = nil) {
            self.clientId = clientId
            self.continuationToken = continuationToken
            self.challengeType = challengeType
        }
    }

    /// Submits a code, a password or attributes.
    package struct Continue: Call {
        package typealias Reply = Continuation
        package static let path = "/signup/v1.0/continue"

        package var clientId: String
        package var continuationToken: String
        package var grantType: GrantType
        package var oob: String?
        package var password: String?
        package var attributes: Attributes?

        package init(
            clientId: String, continuationToken: String, grantType: GrantType, oob: String? = nil,
            password: String? = nil, attributes: Attributes? = nil
        ) {
            self.clientId = clientId
            self.continuationToken = continuationToken
            self.grantType = grantType
            self.oob = oob
            self.password = password
            self.attributes = attributes
        }
    }
}
