// SPDX-License-Identifier: Apache-2.0

/// A 200 answer that may say "use a browser" instead of what was asked.
package protocol Redirectable {
    var challengeType: ChallengeType? { get }
    var redirectReason: String? { get }
}

/// The answer that carries a flow on: of `start`, `initiate` and `continue`.
package struct Continuation: Codable, Sendable, Equatable, Redirectable {
    package var continuationToken: String?
    package var expiresIn: Int?
    package var challengeType: ChallengeType?
    package var redirectReason: String?

    package init(
        continuationToken: String? = nil, expiresIn: Int? = nil, challengeType: ChallengeType? = nil,
        redirectReason: String? = nil
    ) {
        self.continuationToken = continuationToken
        self.expiresIn = expiresIn
        self.challengeType = challengeType
        self.redirectReason = redirectReason
    }
}

/// The answer of a `challenge` call: what the server wants next, and where it sent a code.
package struct ChallengeReply: Codable, Sendable, Equatable, Redirectable {
    package var challengeType: ChallengeType?
    package var continuationToken: String?
    package var bindingMethod: String?
    package var challengeChannel: Channel?
    /// Where a code went, masked.
    package var challengeTargetLabel: String?
    /// Where a code went, in full; `/register/v1.0/challenge` sends this instead of the label.
    package var challengeTarget: String?
    package var codeLength: Int?
    /// Seconds until a new code may be asked for.
    package var interval: Int?
    package var redirectReason: String?

    package init(
        challengeType: ChallengeType? = nil, continuationToken: String? = nil, bindingMethod: String? = nil,
        challengeChannel: Channel? = nil, challengeTargetLabel: String? = nil, challengeTarget: String? = nil,
        codeLength: Int? = nil, interval: Int? = nil, redirectReason: String? = nil
    ) {
        self.challengeType = challengeType
        self.continuationToken = continuationToken
        self.bindingMethod = bindingMethod
        self.challengeChannel = challengeChannel
        self.challengeTargetLabel = challengeTargetLabel
        self.challengeTarget = challengeTarget
        self.codeLength = codeLength
        self.interval = interval
        self.redirectReason = redirectReason
    }
}

/// The answer of the two `introspect` calls: by what a person can prove to be the same one.
package struct Methods: Codable, Sendable, Equatable, Redirectable {
    package var continuationToken: String?
    package var methods: [Method]?
    package var challengeType: ChallengeType?
    package var redirectReason: String?

    package init(
        continuationToken: String? = nil, methods: [Method]? = nil, challengeType: ChallengeType? = nil,
        redirectReason: String? = nil
    ) {
        self.continuationToken = continuationToken
        self.methods = methods
        self.challengeType = challengeType
        self.redirectReason = redirectReason
    }

    /// A way to send a code to a person.
    package struct Method: Codable, Sendable, Equatable {
        package var id: String
        package var challengeType: ChallengeType
        package var challengeChannel: Channel
        /// The masked target of a method that is registered, or a contact to suggest for one that is not.
        package var loginHint: String?

        package init(id: String, challengeType: ChallengeType, challengeChannel: Channel, loginHint: String? = nil) {
            self.id = id
            self.challengeType = challengeType
            self.challengeChannel = challengeChannel
            self.loginHint = loginHint
        }
    }
}

/// The answer of `/resetpassword/v1.0/submit`.
package struct ResetSubmitted: Codable, Sendable, Equatable, Redirectable {
    package var continuationToken: String?
    /// Seconds between two looks at how it went.
    package var pollInterval: Int?
    package var challengeType: ChallengeType?
    package var redirectReason: String?

    package init(
        continuationToken: String? = nil, pollInterval: Int? = nil, challengeType: ChallengeType? = nil,
        redirectReason: String? = nil
    ) {
        self.continuationToken = continuationToken
        self.pollInterval = pollInterval
        self.challengeType = challengeType
        self.redirectReason = redirectReason
    }
}

/// The answer of `/resetpassword/v1.0/poll_completion`.
package struct ResetProgress: Codable, Sendable, Equatable, Redirectable {
    package var status: Status?
    /// Only with ``Status/succeeded``; good for tokens.
    package var continuationToken: String?
    package var expiresIn: Int?
    package var challengeType: ChallengeType?
    package var redirectReason: String?

    package init(
        status: Status? = nil, continuationToken: String? = nil, expiresIn: Int? = nil,
        challengeType: ChallengeType? = nil, redirectReason: String? = nil
    ) {
        self.status = status
        self.continuationToken = continuationToken
        self.expiresIn = expiresIn
        self.challengeType = challengeType
        self.redirectReason = redirectReason
    }

    /// How far a password reset is.
    package struct Status: Word {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let notStarted = Status(rawValue: "not_started")
        package static let inProgress = Status(rawValue: "in_progress")
        package static let succeeded = Status(rawValue: "succeeded")
        package static let failed = Status(rawValue: "failed")
    }
}

/// The answer of the token endpoint. Times are in seconds from now.
package struct Tokens: Codable, Sendable, Equatable, Redirectable {
    package var tokenType: String?
    package var scope: String?
    package var expiresIn: Int?
    package var extExpiresIn: Int?
    package var refreshIn: Int?
    package var accessToken: String?
    package var refreshToken: String?
    package var idToken: String?
    /// Base64url of `{"uid":…,"utid":…}`: the account's object id and its tenant.
    package var clientInfo: String?
    package var challengeType: ChallengeType?
    package var redirectReason: String?

    package init(
        tokenType: String? = nil, scope: String? = nil, expiresIn: Int? = nil, extExpiresIn: Int? = nil,
        refreshIn: Int? = nil, accessToken: String? = nil, refreshToken: String? = nil, idToken: String? = nil,
        clientInfo: String? = nil, challengeType: ChallengeType? = nil, redirectReason: String? = nil
    ) {
        self.tokenType = tokenType
        self.scope = scope
        self.expiresIn = expiresIn
        self.extExpiresIn = extExpiresIn
        self.refreshIn = refreshIn
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.idToken = idToken
        self.clientInfo = clientInfo
        self.challengeType = challengeType
        self.redirectReason = redirectReason
    }
}

/// Whose tokens an answer holds; the payload of `client_info`.
package struct ClientInfo: Codable, Sendable, Equatable {
    package var uid: String
    package var utid: String

    package init(uid: String, utid: String) {
        self.uid = uid
        self.utid = utid
    }
}
