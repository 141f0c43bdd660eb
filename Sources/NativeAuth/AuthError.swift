// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

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
    /// Where the service says more about the error, if it named a page.
    public var uri: String?
    /// The call that failed, by its path: `/oauth2/v2.0/token`. Nil where nothing was sent.
    public var endpoint: String?
    /// When the server answered, as it wrote it: UTC, `yyyy-MM-dd HH:mm:ssZ`.
    public var timestamp: String?
    /// The seconds after which the server wants to be asked again, if it said so.
    public var retryAfter: Int?
    /// The number that the transport gave its failure: ``TransportFailure/code``.
    public var transportCode: Int?
    /// When an earlier refresh with the same token began that nobody knows the outcome of: it was cut off, and may be why the
    /// tenant does not take the token any more. Nil without one.
    public var refreshCutOffAt: Date?
    /// True if this is what the server said to the same request a moment ago, and it was not asked again.
    public var wasThrottled = false

    /// An error that the client found by itself.
    public init(
        _ reason: Reason, message: String? = nil, endpoint: String? = nil, correlationID: String? = nil
    ) {
        self.reason = reason
        self.message = message
        self.endpoint = endpoint
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
        /// The account has no password that could be reset, or the tenant has no reset for it.
        case userHasNoPassword
        /// The tenant did not set the new password, or did not say in time whether it is set; see the message.
        case resetFailed
        /// The contact is no mail address or telephone number that the tenant takes.
        case invalidContact
        /// The tenant does not use this method, or not with this contact; choose another one.
        case methodBlocked
        /// The session can only go on with a second factor: sign out, and in again.
        case multiFactorRequired
        /// The account is closed by the tenant.
        case accountDisabled
        /// The app may not have a scope before the tenant's owner, or the person, has consented.
        case consentRequired
        /// The tenant granted less than was wanted: these scopes. What it granted is in the cache.
        case scopesDeclined(granted: [String])
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
        case unexpectedAnswer(AnswerProblem)
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

    /// What is wrong with an answer.
    public enum AnswerProblem: Sendable, Equatable {
        /// A status and a body that do not belong together, or are none of the protocol's.
        case body(status: Int)
        /// Without this member nobody can go on.
        case missing(String)
        /// A proof that this step knows nothing of; nil where the answer does not say which one is wanted.
        case challengeType(String?)
        /// A word that means nothing at this place.
        case word(String)
        /// The tenant's description of itself names another issuer, or another host for its keys.
        case otherTenant
        /// A bearer token, an ID token, or how long they are good for, is missing.
        case incompleteTokens
        /// Tokens of another account than the one that asked.
        case otherAccount
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
        /// Not the one that was asked for: another sign-in's, or one that was kept.
        case nonce
        /// Not valid at this machine's time, which is off by about this many seconds or more.
        case clock(seconds: Int)
        /// A claim is missing.
        case missing(String)
    }

    /// True where the server was not reached, or had no time: the same call may work a moment later.
    var isPassing: Bool {
        switch reason {
        case .rateLimited, .serverUnavailable, .network, .cancelled: true
        default: false
        }
    }

    /// True where the same step can be tried again: with another value, or later.
    var leavesStepUsable: Bool {
        switch reason {
        case .invalidCode, .invalidPassword, .invalidCredentials, .invalidAttributes, .invalidContact, .methodBlocked,
            .tooManyCodes, .accountLocked:
            true
        case .refused: isOfExtension
        default: isPassing
        }
    }

    /// True where an extension of the tenant failed, so that the tenant did not take the step.
    private var isOfExtension: Bool { codes.first == 1_100_001 }

    /// True where the steps after the first factor can be tried again. Their tokens outlive a refusal, so that only an
    /// error that ends the whole flow ends the step.
    var leavesFlowOpen: Bool {
        switch reason {
        case .browserRequired, .flowExpired, .clientRejected, .userNotFound, .accountDisabled, .consentRequired,
            .invalidScope, .passwordChangeRequired:
            false
        default: true
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

extension StepError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The error, and whether a step is open. The step holds a token that no log is to show.
    public var description: String { "\(error)\(retry == nil ? "" : ", which can be tried again")" }
    /// The same.
    public var debugDescription: String { description }
}
