// SPDX-License-Identifier: Apache-2.0

/// The calls of `/resetpassword/v1.0`.
package enum ResetPassword {
    /// Opens a password reset. No code is sent yet.
    package struct Start: Call {
        package typealias Reply = Continuation
        package static let path = "/resetpassword/v1.0/start"

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

    /// Sends a code, or sends it again.
    package struct Challenge: Call {
        package typealias Reply = ChallengeReply
        package static let path = "/resetpassword/v1.0/challenge"

        package var clientId: String
        package var continuationToken: String
        package var challengeType: Words<ChallengeType>?

        package init(clientId: String, continuationToken: String, challengeType: Words<ChallengeType>? = nil) {
            self.clientId = clientId
            self.continuationToken = continuationToken
            self.challengeType = challengeType
        }
    }

    /// Submits the code.
    package struct Continue: Call {
        package typealias Reply = Continuation
        package static let path = "/resetpassword/v1.0/continue"

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

    /// Submits the new password.
    package struct Submit: Call {
        package typealias Reply = ResetSubmitted
        package static let path = "/resetpassword/v1.0/submit"

        package var clientId: String
        package var continuationToken: String
        package var newPassword: String

        package init(clientId: String, continuationToken: String, newPassword: String) {
            self.clientId = clientId
            self.continuationToken = continuationToken
            self.newPassword = newPassword
        }
    }

    /// Asks how it went.
    package struct Poll: Call {
        package typealias Reply = ResetProgress
        package static let path = "/resetpassword/v1.0/poll_completion"

        package var clientId: String
        package var continuationToken: String

        package init(clientId: String, continuationToken: String) {
            self.clientId = clientId
            self.continuationToken = continuationToken
        }
    }
}
