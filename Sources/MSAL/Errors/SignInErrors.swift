// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// Why a sign-in did not begin.
public final class SignInStartError: MSALNativeAuthError, @unchecked Sendable {
    override var kind: Kind {
        switch failure.error.reason {
        case .userNotFound where failure.isAt(SignIn.Initiate.path, SignIn.Token.path): .userNotFound
        case .invalidCredentials: .invalidCredentials
        case .invalidUsername where failure.isLocal: .invalidUsername
        default: super.kind
        }
    }

    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
    /// No account has this user name.
    public var isUserNotFound: Bool { kind == .userNotFound }
    /// The user name and the password do not belong together.
    public var isInvalidCredentials: Bool { kind == .invalidCredentials }
    /// The user name is empty.
    public var isInvalidUsername: Bool { kind == .invalidUsername }
}

/// Why the sign-in after a sign-up failed.
public final class SignInAfterSignUpError: MSALNativeAuthGenericError, @unchecked Sendable {
    override var words: String? { failure.afterFlowText }
}

/// Why the sign-in after a password reset failed.
public final class SignInAfterResetPasswordError: MSALNativeAuthGenericError, @unchecked Sendable {
    override var words: String? { failure.afterFlowText }
}

extension Failure {
    /// Without a token from the flow before there is nothing to sign in with.
    fileprivate var afterFlowText: String? {
        error.reason == .signInRequired && error.endpoint == nil ? Texts.noSignIn : text
    }
}

/// Why there is no access token. The text tells; the flags are never set, as in Microsoft's SDK.
public final class RetrieveAccessTokenError: MSALNativeAuthError, @unchecked Sendable {
    private let isScopeMissing: Bool

    init(_ failure: Failure, isScopeMissing: Bool = false) {
        self.isScopeMissing = isScopeMissing
        super.init(failure)
    }

    override var kind: Kind { isScopeMissing ? .invalidScope : .general }

    override var words: String? {
        switch failure.error.reason {
        case .signInRequired where failure.error.endpoint == nil: Texts.noToken
        case .network, .serverUnavailable, .rateLimited: failure.error.message ?? failure.text
        case .scopesDeclined(let granted): "The server declined scopes. It granted: \(granted.joined(separator: " "))"
        default: failure.text
        }
    }

    /// Never set, as in Microsoft's SDK.
    public override var errorUri: String? { nil }

    /// Only a browser can go on. Never set.
    public var isBrowserRequired: Bool { kind == .browserRequired }
    /// The session has ended. Never set; the text tells.
    public var isRefreshTokenExpired: Bool { kind == .refreshTokenExpired }
    /// No scope was named, by the deprecated call that wants at least one.
    public var isInvalidScope: Bool { kind == .invalidScope }
}
