// SPDX-License-Identifier: Apache-2.0

import Foundation
import NativeAuth
import Wire

/// Why a call failed, in the terms in which apps of Microsoft's SDK are told.
struct Failure: Sendable {
    let error: AuthError
    let correlationID: UUID
    /// The text, where it is not the server's.
    private let words: String?
    /// The call went well, and the delegate has no method for it. There is nothing to try again.
    private(set) var isOfDelegate = false

    init(_ error: AuthError, _ correlation: Correlation, words: String? = nil) {
        let id = error.correlationID.flatMap { UUID(uuidString: $0) } ?? UUID(uuidString: correlation.id)
        self.init(error, id ?? UUID(), words)
    }

    private init(_ error: AuthError, _ correlationID: UUID, _ words: String?) {
        self.error = error
        self.correlationID = correlationID
        self.words = words
    }

    /// The same without the server's words.
    var withoutWords: Failure { Failure(error, correlationID, Kind.general.text) }

    /// A failure that nothing more is known about.
    static func general(_ correlation: Correlation, words: String? = nil) -> Failure {
        Failure(AuthError(.refused), correlation, words: words)
    }

    /// The delegate has no method for the outcome.
    static func missing(_ method: String, _ correlation: Correlation) -> Failure {
        var failure = general(correlation, words: Texts.missing(method))
        failure.isOfDelegate = true
        return failure
    }

    /// Found in the app's own values before anything was sent, so that the same state goes on.
    var isLocal: Bool {
        guard error.endpoint == nil else { return false }
        return switch error.reason {
        case .invalidUsername, .invalidPassword, .invalidCredentials, .invalidCode, .invalidContact: true
        default: false
        }
    }

    /// Whether it happened at one of these calls.
    func isAt(_ endpoints: String...) -> Bool { error.endpoint.map(endpoints.contains) ?? false }

    /// The server's own words, or those of a failure that has none; nil for the text of the error's kind.
    var text: String? {
        if let words { return words }
        switch error.reason {
        case .refused where isVerificationWanted: return nil
        case .unexpectedAnswer(.challengeType(let type)): return Self.text(of: type, at: error.endpoint)
        case .unexpectedAnswer(.word) where isAt(ResetPassword.Poll.path): return Texts.badBody
        case .unexpectedAnswer(.word), .unexpectedAnswer(.incompleteTokens), .unexpectedAnswer(.otherAccount),
            .untrustedIDToken, .storage, .resetFailed:
            return nil
        case .refused where error.endpoint == nil: return nil
        case .unexpectedAnswer, .rateLimited, .serverUnavailable, .network, .cancelled: return Texts.badBody
        case .passwordChangeRequired where isAt(SignIn.Token.path): return Texts.passwordChange + (error.message ?? "")
        case .multiFactorRequired: return Texts.multiFactor + (error.message ?? "")
        case .methodBlocked: return Texts.blocked(isContact: isAt(Register.Challenge.path)) + (error.message ?? "")
        default: return error.message
        }
    }

    /// Microsoft's SDK has no words for this answer to the code of a reset.
    private var isVerificationWanted: Bool {
        error.error == Refusal.Kind.verificationRequired.rawValue && isAt(ResetPassword.Continue.path)
    }

    private static func text(of type: String?, at endpoint: String?) -> String? {
        switch (type, endpoint) {
        case (_, Register.Challenge.path), (nil, SignIn.Challenge.path), (nil, ResetPassword.Challenge.path),
            ("password", ResetPassword.Challenge.path):
            Texts.badChallenge
        case ("password", SignIn.Challenge.path): nil
        default: Texts.badBody
        }
    }

    /// Whether the server said no by an error of the protocol, whose numbers and words are the app's to see.
    var isRefusal: Bool {
        switch error.reason {
        case .browserRequired, .unexpectedAnswer, .rateLimited, .serverUnavailable, .network: false
        default: true
        }
    }

    var codes: [Int] { isRefusal ? error.codes : [] }
    var uri: String? { isRefusal ? error.uri : nil }

    /// What lies behind a text that does not tell.
    var cause: String? {
        switch error.reason {
        case .unexpectedAnswer(let problem): "\(problem)"
        case .network(let problem): "\(problem): \(error.message ?? "no answer")"
        case .serverUnavailable(let status): "HTTP \(status): \(error.message ?? "no reason given")"
        case .storage(let problem): "\(problem)"
        case .rateLimited, .resetFailed, .untrustedIDToken: error.message ?? "\(error.reason)"
        case .refused where error.endpoint == nil: error.message
        default: nil
        }
    }

    /// What happened, without what the server wrote: it may hold what it was sent.
    var forLog: String {
        let detail: String? =
            switch error.reason {
            case .network, .storage: cause
            default: nil
            }
        let names = [error.error, error.suberror].compactMap { $0 }
        return
            ([names.isEmpty ? "\(error.reason)" : names.joined(separator: " "), "\(error.codes)"]
            + [detail].compactMap { $0 })
            .joined(separator: " ")
    }
}

/// The texts of Microsoft's SDK that apps show.
enum Texts {
    static let badBody = "Unexpected response body received"
    static let badChallenge = "Unexpected challenge type"
    static let noSignIn = "Sign In is not available at this point, please use the standalone sign in methods"
    static let noToken = "No token matching arguments found in the cache, user interaction is required"
    static let reservedScopes = "are reserved scopes and may not be specified in the acquire token call."
    static let registrationAgain =
        "Unexpected result received: strong authentication method registration required."
    static let multiFactor =
        "Multi-factor authentication is required, which can't be fulfilled as part of this flow. "
        + "Please sign out and perform a new sign in operation. More information: "
    static let passwordChange =
        "User password change is required, which can't be fulfilled as part of this flow. "
        + "Please reset the password and perform a new sign in operation. More information: "

    static func missing(_ method: String) -> String {
        "MSALNativeAuth has called the delegate method \(method) that has not been implemented"
    }

    static func blocked(isContact: Bool) -> String {
        isContact
            ? "The server blocked the verification contact provided. Try using another email or phone number, "
                + "or select an alternative authentication method. More information: "
            : "The server blocked the strong authentication method. "
                + "Try contacting customer support to seek assistance. More information: "
    }
}
