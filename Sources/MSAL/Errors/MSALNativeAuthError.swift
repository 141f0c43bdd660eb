// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// Why a call failed. The flags of its classes tell what an app can act on; without one, nothing but the text is known.
public class MSALNativeAuthError: NSObject, LocalizedError, @unchecked Sendable {
    let failure: Failure

    init(_ failure: Failure) {
        self.failure = failure
    }

    /// What the flags are made of.
    var kind: Kind { failure.error.reason == .browserRequired ? .browserRequired : .general }

    /// The text, in place of the server's.
    var words: String? { failure.text }

    /// What happened, in the server's words where it spoke.
    public var errorDescription: String? { words ?? kind.text }

    /// What lies behind a text that does not tell: the network's fault, or the cache's. For a log.
    public var failureReason: String? { failure.cause }

    /// The id of the conversation, by which the tenant's owner finds it in the log.
    public var correlationId: UUID { failure.correlationID }

    /// The service's numbers (`AADSTS…`), the most telling first.
    public var errorCodes: [Int] { failure.codes }

    /// Where the service says more, if it names a page.
    public var errorUri: String? { failure.uri }

    /// The text and the codes.
    public override var description: String { "\(type(of: self)): \(errorDescription ?? "") \(errorCodes)" }
}

/// What an error is, in Microsoft's terms.
enum Kind {
    case general, browserRequired
    case invalidUsername, invalidPassword, invalidCredentials, invalidCode, invalidChallenge, invalidInput, invalidScope
    case userNotFound, userAlreadyExists, userDoesNotHavePassword
    case authMethodBlocked, verificationContactBlocked, refreshTokenExpired

    /// The text where the server has none.
    var text: String {
        switch self {
        case .general: "General error"
        case .browserRequired: "Browser required. Use acquireTokenInteractively instead"
        case .invalidUsername: "Invalid username"
        case .invalidPassword: "Invalid password"
        case .invalidCredentials: "Invalid credentials"
        case .invalidCode: "Invalid code"
        case .invalidChallenge: "Invalid challenge"
        case .invalidInput: "Invalid input"
        case .invalidScope: "Invalid scope"
        case .userNotFound: "User does not exist"
        case .userAlreadyExists: "User already exists"
        case .userDoesNotHavePassword: "User does not have password associated with account"
        case .authMethodBlocked: Texts.blocked(isContact: false)
        case .verificationContactBlocked: Texts.blocked(isContact: true)
        case .refreshTokenExpired: "Refresh token is expired"
        }
    }
}

/// An error that can only be shown, or send the person to a browser.
public class MSALNativeAuthGenericError: MSALNativeAuthError, @unchecked Sendable {
    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
}
