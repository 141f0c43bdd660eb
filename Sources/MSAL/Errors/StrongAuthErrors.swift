// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// Why no code was sent for a second factor.
public final class MFARequestChallengeError: MSALNativeAuthError, @unchecked Sendable {
    override var kind: Kind { failure.error.reason == .methodBlocked ? .authMethodBlocked : super.kind }

    /// The tenant does not use this method; choose another one.
    public var isAuthMethodBlocked: Bool { kind == .authMethodBlocked }
    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
}

/// Why the code of a second factor was not taken.
public final class MFASubmitChallengeError: MSALNativeAuthError, @unchecked Sendable {
    private var code: VerifyCodeError { VerifyCodeError(failure) }
    override var kind: Kind { code.isInvalidCode ? .invalidChallenge : super.kind }
    override var words: String? { code.words }
    /// The service's numbers (`AADSTS…`), the most telling first.
    public override var errorCodes: [Int] { code.errorCodes }

    /// The code is wrong, used, or no longer valid.
    public var isInvalidChallenge: Bool { kind == .invalidChallenge }
    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
}

/// Why a contact was not taken.
public final class RegisterStrongAuthChallengeError: MSALNativeAuthError, @unchecked Sendable {
    override var kind: Kind {
        switch failure.error.reason {
        case .invalidContact: .invalidInput
        case .methodBlocked: .verificationContactBlocked
        // After a contact that needs no code, Microsoft's SDK calls every error a general one.
        case .browserRequired where !failure.isAt(Register.Challenge.path): .general
        default: super.kind
        }
    }

    override var words: String? { failure.registrationText ?? super.words }

    /// The contact is empty, or none that the tenant takes.
    public var isInvalidInput: Bool { kind == .invalidInput }
    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
    /// The tenant does not send codes there; choose another contact.
    public var isVerificationContactBlocked: Bool { kind == .verificationContactBlocked }
}

/// Why the code of a new contact was not taken.
public final class RegisterStrongAuthSubmitChallengeError: MSALNativeAuthError, @unchecked Sendable {
    override var kind: Kind {
        switch failure.error.reason {
        case .invalidCode: .invalidChallenge
        case .browserRequired where !failure.isAt(Register.Continue.path): .general
        default: super.kind
        }
    }

    override var words: String? { failure.registrationText ?? super.words }

    /// The code is wrong, used, or no longer valid.
    public var isInvalidChallenge: Bool { kind == .invalidChallenge }
    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
}

extension Failure {
    /// A tenant that wants a registration after a registration would want one for ever.
    fileprivate var registrationText: String? {
        error.reason == .unexpectedAnswer(.word(Refusal.Suberror.registrationRequired.rawValue))
            ? Texts.registrationAgain : nil
    }
}
