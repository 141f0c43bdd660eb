// SPDX-License-Identifier: Apache-2.0

import Wire

extension AuthError {
    /// What a refusal means. The first number counts, as in Microsoft's SDKs; text is looked at only where the
    /// protocol has nothing else (the two cases of `90100`).
    init(_ refusal: Refusal) {
        self.init(Reason(refusal), refusal)
    }

    /// An error with all that the server said about it.
    init(_ reason: Reason, _ refusal: Refusal) {
        self.init(reason, message: refusal.errorDescription, correlationID: refusal.correlationId)
        codes = refusal.errorCodes ?? []
        error = refusal.error.rawValue
        suberror = refusal.suberror?.rawValue
        uri = refusal.errorUri
        endpoint = refusal.endpoint
        traceID = refusal.traceId
        timestamp = refusal.timestamp
    }
}

extension AuthError.Reason {
    init(_ refusal: Refusal) {
        if let reason = Self.named(by: refusal.suberror, refusal) ?? Self.numbered(by: refusal) {
            self = reason
            return
        }
        switch refusal.error {
        case .userAlreadyExists: self = .userAlreadyExists
        case .userNotFound: self = .userNotFound
        case .expiredToken: self = .flowExpired
        case .unauthorizedClient, .invalidClient: self = .clientRejected
        case .invalidScope: self = .invalidScope
        default: self = .refused
        }
    }

    private static func named(by suberror: Refusal.Suberror?, _ refusal: Refusal) -> Self? {
        switch suberror {
        case .invalidOOBValue: .invalidCode
        case .attributeValidationFailed: .invalidAttributes((refusal.invalidAttributes ?? []).map(\.name))
        case .providerBlockedByReputation?, .providerBlockedByAdmin?:
            refusal.error == .accessDenied ? .methodBlocked : nil
        case .consentRequired?: .consentRequired
        case let other?: AuthError.PasswordProblem(rawValue: other.rawValue).map { .invalidPassword($0) }
        case nil: nil
        }
    }

    private static func numbered(by refusal: Refusal) -> Self? {
        let codes = refusal.errorCodes ?? []
        if codes.contains(50142) { return .passwordChangeRequired }
        if codes.contains(50057) { return .accountDisabled }
        if codes.contains(65001) { return .consentRequired }
        if codes.contains(901_001), refusal.error == .invalidRequest { return .invalidContact }
        switch (refusal.error, codes.first) {
        case (.invalidGrant, 50034): return .userNotFound
        case (.invalidGrant, 50126): return .invalidCredentials
        case (.invalidGrant, 50053): return .accountLocked
        case (_, 701_014): return .tooManyCodes
        case (.invalidRequest, 500_222): return .userHasNoPassword
        case (.invalidRequest, 90100):
            let text = refusal.errorDescription ?? ""
            if text.contains("username parameter is empty or not valid") { return .invalidUsername }
            return text.contains("client_id parameter is empty or not valid") ? .clientRejected : nil
        default: return nil
        }
    }
}

/// What a `challenge` call led to.
enum Challenge: Sendable, Equatable {
    case code(CodeDelivery, token: String)
    case password(token: String)
    /// Nothing is to be proven, for it has been.
    case preverified(token: String)

    /// Reads the reply strictly: a client cannot go on without these members.
    ///
    /// - Parameter target: Where a code went: a registration tells it in another member than all else.
    init(_ reply: ChallengeReply, target: String?) throws(AuthError) {
        switch (reply.challengeType, reply.continuationToken) {
        case (.password?, let token?):
            self = .password(token: token)
        case (.preverified?, let token?):
            self = .preverified(token: token)
        case (.oob?, let token?):
            guard let target, let channel = reply.challengeChannel,
                let length = reply.codeLength, (1...32).contains(length)
            else { throw AuthError(.unexpectedAnswer(.missing("where the code went, or how long it is"))) }
            let delivery = CodeDelivery(
                sentTo: target, channel: channel.rawValue, codeLength: length,
                resendAfter: reply.interval)
            self = .code(delivery, token: token)
        case (.oob?, nil), (.password?, nil), (.preverified?, nil):
            throw AuthError(.unexpectedAnswer(.missing("continuation_token")))
        case (let type, _):
            throw AuthError(.unexpectedAnswer(.challengeType(type?.rawValue)))
        }
    }
}

/// A code that is on its way to the person.
public struct CodeDelivery: Sendable, Hashable {
    /// Where the code went, for display: masked by the server, unless the person has just named it.
    public let sentTo: String
    /// `email` or `sms`.
    public let channel: String
    /// The number of digits.
    public let codeLength: Int
    /// How long to wait before asking for another code, if the server said; a day at most.
    public let resendInterval: Duration?
}

extension CodeDelivery {
    /// - Parameter seconds: The server's number.
    init(sentTo: String, channel: String, codeLength: Int, resendAfter seconds: Int?) {
        self.init(
            sentTo: sentTo, channel: channel, codeLength: codeLength,
            resendInterval: seconds.map { .seconds($0.withinADay) })
    }
}

extension Int {
    /// These seconds, as a server named them, as 0 to a day: whatever it says, a time plus them is one that can be shown.
    var withinADay: Int { Swift.min(Swift.max(0, self), 86_400) }
}
