// SPDX-License-Identifier: Apache-2.0

/// The calls of `/register/v1.0`: an account gets a strong method to prove itself by.
package enum Register {
    /// Lists the kinds of methods that can be registered.
    package struct Introspect: Call {
        package typealias Reply = Methods
        package static let path = "/register/v1.0/introspect"

        package var clientId: String
        package var continuationToken: String

        package init(clientId: String, continuationToken: String) {
            self.clientId = clientId
            self.continuationToken = continuationToken
        }
    }

    /// Names the contact, and has a code sent to it unless it is proven already.
    package struct Challenge: Call {
        package typealias Reply = ChallengeReply
        package static let path = "/register/v1.0/challenge"

        package var clientId: String
        package var continuationToken: String
        /// One value, unlike elsewhere: that of the chosen method.
        package var challengeType: ChallengeType
        /// A mail address, or a telephone number with its country code behind a `+`.
        package var challengeTarget: String
        package var challengeChannel: Channel?

        package init(
            clientId: String, continuationToken: String, challengeType: ChallengeType, challengeTarget: String,
            challengeChannel: Channel? = nil
        ) {
            self.clientId = clientId
            self.continuationToken = continuationToken
            self.challengeType = challengeType
            self.challengeTarget = challengeTarget
            self.challengeChannel = challengeChannel
        }
    }

    /// Submits the code, or takes note that none was needed.
    package struct Continue: Call {
        package typealias Reply = Continuation
        package static let path = "/register/v1.0/continue"

        package var clientId: String
        package var continuationToken: String
        package var grantType: GrantType
        package var oob: String?

        package init(clientId: String, continuationToken: String, grantType: GrantType, oob: String? = nil) {
            self.clientId = clientId
            self.continuationToken = continuationToken
            self.grantType = grantType
            self.oob = oob
        }
    }
}
