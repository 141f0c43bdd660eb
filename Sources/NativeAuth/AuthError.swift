// SPDX-License-Identifier: Apache-2.0

/// Why something did not work, with the server's own words where it spoke.
public struct AuthError: Error, Sendable, Equatable {
    /// What happened, in a form that a program can act on.
    public var reason: Reason
    /// What the server, or the library below, said about it. For people; never to be parsed.
    public var message: String?
    /// The service's stable numbers (`AADSTS…`), the most telling first.
    public var codes: [Int]
    /// The service's `error` and `suberror`, as they were sent.
    public var error: String?
    /// The refinement of `error`.
    public var suberror: String?
    /// The id of the conversation, to be named when asking the tenant's owner.
    public var correlationID: String?
    /// The server's id of the one request.
    public var traceID: String?
    /// When the server answered, as it wrote it: UTC, `yyyy-MM-dd HH:mm:ssZ`.
    public var timestamp: String?

    /// An error that the client found by itself.
    public init(_ reason: Reason, message: String? = nil, correlationID: String? = nil) {
        self.reason = reason
        self.message = message
        self.correlationID = correlationID
        codes = []
    }
}

extension AuthError {
    /// What happened.
    public enum Reason: Sendable, Equatable {
        /// The flow can only go on in a browser; the message says why, if the server told.
        case browserRequired
        /// The user name is empty or malformed.
        case invalidUsername
        /// An account with this user name exists already.
        case userAlreadyExists
        /// No account has this user name.
        case userNotFound
        /// The user name and the password do not belong together.
        case invalidCredentials
        /// The new password breaks a rule.
        case invalidPassword(PasswordProblem)
        /// The one-time passcode is wrong, used, or no longer valid.
        case invalidCode
        /// These attributes have values that the user flow does not accept.
        case invalidAttributes([String])
        /// The conversation took too long; start again.
        case flowExpired
        /// No more codes for now.
        case tooManyCodes
        /// Too many wrong passwords; the account is closed for a while.
        case accountLocked
        /// The password has to be changed before it can be used.
        case passwordChangeRequired
        /// There is no session, or it can no longer be refreshed.
        case signInRequired
        /// A scope is unknown, malformed, or belongs to another resource than the rest.
        case invalidScope
        /// The tenant does not accept this app: unknown client id, or native authentication is off.
        case clientRejected
        /// Too many requests; try again after this many seconds, if the server said so.
        case rateLimited(retryAfter: Int?)
        /// The server answered with an HTTP status of 500 or above, twice.
        case serverUnavailable(status: Int)
        /// The server was not reached.
        case network(NetworkProblem)
        /// The answer breaks the protocol.
        case unexpectedAnswer(String)
        /// The ID token cannot be trusted.
        case untrustedIDToken(IDTokenProblem)
        /// The token cache could not be read or written.
        case storage(StorageProblem)
        /// The task was cancelled.
        case cancelled
        /// The server refused for a reason that has no case of its own; see `error`, `codes` and `message`.
        case refused
    }

    /// The password rule that was broken.
    public enum PasswordProblem: String, Sendable, Equatable {
        /// Fewer characters than the tenant demands.
        case tooShort = "password_too_short"
        /// More characters than the tenant takes.
        case tooLong = "password_too_long"
        /// Too few kinds of characters.
        case tooWeak = "password_too_weak"
        /// On the tenant's list of banned passwords.
        case banned = "password_banned"
        /// Used before by this account.
        case recentlyUsed = "password_recently_used"
        /// It holds characters that the tenant does not take.
        case invalidCharacters = "password_is_invalid"
        /// The password is empty.
        case empty
    }

    /// Why an ID token is not believed (OpenID Connect Core 1.0, section 3.1.3.7).
    public enum IDTokenProblem: Sendable, Equatable {
        /// Not a JSON Web Token.
        case malformed
        /// Signed by another algorithm than RS256.
        case algorithm(String)
        /// Signed with a key that the tenant does not publish.
        case unknownKey
        /// The signature does not fit.
        case signature
        /// Issued by someone else.
        case issuer
        /// Issued for another app.
        case audience
        /// Not valid at this machine's time, which is off by about this many seconds or more.
        case clock(seconds: Int)
        /// A claim is missing.
        case missing(String)
    }

    /// True where the same step can be tried again: with another value, or later.
    var leavesStepUsable: Bool {
        switch reason {
        case .invalidCode, .invalidPassword, .invalidCredentials, .invalidAttributes, .tooManyCodes, .accountLocked,
            .rateLimited, .serverUnavailable, .network, .cancelled:
            true
        default: false
        }
    }
}

/// An error in a flow, with the step to try again from.
public struct StepError<Step: Sendable>: Error, Sendable {
    /// What happened.
    public let error: AuthError
    /// The step that is still open: submit to it again. Nil when the flow is over.
    public let retry: Step?
}
