// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// Why no other code was sent.
public final class ResendCodeError: MSALNativeAuthGenericError, @unchecked Sendable {}

/// Why a code was not taken.
public final class VerifyCodeError: MSALNativeAuthError, @unchecked Sendable {
    override var kind: Kind {
        switch failure.error.reason {
        case .invalidCode: .invalidCode
        // The password that a sign-up began with is looked at together with the code.
        case .invalidPassword where failure.isAt(SignUp.Continue.path): .invalidCode
        default: super.kind
        }
    }

    override var words: String? { failure.isUnnamedGrantError ? nil : super.words }
    /// The service's numbers (`AADSTS…`), the most telling first.
    public override var errorCodes: [Int] { failure.isUnnamedGrantError ? [] : super.errorCodes }

    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
    /// The code is wrong, used, or no longer valid.
    public var isInvalidCode: Bool { kind == .invalidCode }
}

extension Failure {
    /// A refusal at the token endpoint with no number that Microsoft's SDK knows. It tells nothing of it where a code was
    /// submitted.
    fileprivate var isUnnamedGrantError: Bool {
        switch error.reason {
        case .invalidCode, .userNotFound, .invalidCredentials: false
        default: isRefusal && error.error == Refusal.Kind.invalidGrant.rawValue && isAt(SignIn.Token.path)
        }
    }
}

/// Why a password was not taken.
public final class PasswordRequiredError: MSALNativeAuthError, @unchecked Sendable {
    override var kind: Kind {
        switch failure.error.reason {
        case .invalidPassword, .invalidCredentials: .invalidPassword
        default: super.kind
        }
    }

    override var words: String? { failure.error.reason == .invalidCredentials ? nil : super.words }

    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
    /// The password is wrong, or breaks a rule.
    public var isInvalidPassword: Bool { kind == .invalidPassword }
}

/// Why a password reset did not begin.
public final class ResetPasswordStartError: MSALNativeAuthError, @unchecked Sendable {
    override var kind: Kind {
        switch failure.error.reason {
        case .userHasNoPassword where failure.isAt(ResetPassword.Start.path): .userDoesNotHavePassword
        case .userNotFound where failure.isAt(ResetPassword.Start.path): .userNotFound
        case .invalidUsername where failure.isLocal: .invalidUsername
        default: super.kind
        }
    }

    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
    /// The account signs in with codes alone.
    public var isUserDoesNotHavePassword: Bool { kind == .userDoesNotHavePassword }
    /// No account has this user name.
    public var isUserNotFound: Bool { kind == .userNotFound }
    /// The user name is empty.
    public var isInvalidUsername: Bool { kind == .invalidUsername }
}
