// SPDX-License-Identifier: Apache-2.0

import Wire

extension AuthError {
    /// What a refusal means. The first number counts, as in Microsoft's SDKs; text is looked at only where the
    /// protocol has nothing else (the two cases of `90100`).
    init(_ refusal: Refusal) {
        self.init(
            Reason(refusal), message: refusal.errorDescription, correlationID: refusal.correlationId)
        codes = refusal.errorCodes ?? []
        error = refusal.error.rawValue
        suberror = refusal.suberror?.rawValue
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
        case let other?: AuthError.PasswordProblem(rawValue: other.rawValue).map { .invalidPassword($0) }
        case nil: nil
        }
    }

    private static func numbered(by refusal: Refusal) -> Self? {
        let codes = refusal.errorCodes ?? []
        if codes.contains(50142) { return .passwordChangeRequired }
        switch (refusal.error, codes.first) {
        case (.invalidGrant, 50034): return .userNotFound
        case (.invalidGrant, 50126): return .invalidCredentials
        case (.invalidGrant, 50053): return .accountLocked
        case (_, 701_014): return .tooManyCodes
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

    /// Reads the reply strictly: a client cannot go on without these members.
    init(_ reply: ChallengeReply) throws(AuthError) {
        switch (reply.challengeType, reply.continuationToken) {
        case (.password?, let token?):
            self = .password(token: token)
        case (.oob?, let token?):
            guard let label = reply.challengeTargetLabel, let channel = reply.challengeChannel,
                let length = reply.codeLength, (1...32).contains(length)
            else { throw AuthError(.unexpectedAnswer("a code was sent, but not said where to or how long it is")) }
            let delivery = CodeDelivery(
                sentTo: label, channel: channel.rawValue, codeLength: length,
                resendInterval: reply.interval.map { .seconds(max(0, $0)) })
            self = .code(delivery, token: token)
        case (let type, _):
            throw AuthError(
                .unexpectedAnswer("challenge type '\(type?.rawValue ?? "none")' without what belongs to it"))
        }
    }
}

/// A code that is on its way to the person.
public struct CodeDelivery: Sendable, Hashable {
    /// Where the code went, masked by the server: for display only.
    public let sentTo: String
    /// `email` or `sms`.
    public let channel: String
    /// The number of digits.
    public let codeLength: Int
    /// How long to wait before asking for another code, if the server said.
    public let resendInterval: Duration?
}
