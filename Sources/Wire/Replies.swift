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
    package var challengeChannel: String?
    package var challengeTargetLabel: String?
    package var codeLength: Int?
    /// Seconds until a new code may be asked for.
    package var interval: Int?
    package var redirectReason: String?

    package init(
        challengeType: ChallengeType? = nil, continuationToken: String? = nil, bindingMethod: String? = nil,
        challengeChannel: String? = nil, challengeTargetLabel: String? = nil, codeLength: Int? = nil,
        interval: Int? = nil, redirectReason: String? = nil
    ) {
        self.challengeType = challengeType
        self.continuationToken = continuationToken
        self.bindingMethod = bindingMethod
        self.challengeChannel = challengeChannel
        self.challengeTargetLabel = challengeTargetLabel
        self.codeLength = codeLength
        self.interval = interval
        self.redirectReason = redirectReason
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
