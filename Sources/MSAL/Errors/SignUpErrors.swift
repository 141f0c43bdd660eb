// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// Why a sign-up did not begin.
public final class SignUpStartError: MSALNativeAuthError, @unchecked Sendable {
    override var kind: Kind {
        switch failure.error.reason {
        case .userAlreadyExists where failure.isAt(SignUp.Start.path): .userAlreadyExists
        case .invalidPassword where failure.isLocal || failure.isAt(SignUp.Start.path): .invalidPassword
        case .invalidUsername where failure.isLocal || failure.isAt(SignUp.Start.path): .invalidUsername
        default: super.kind
        }
    }

    /// Only a browser can go on.
    public var isBrowserRequired: Bool { kind == .browserRequired }
    /// The user name has an account; sign in instead.
    public var isUserAlreadyExists: Bool { kind == .userAlreadyExists }
    /// The password breaks a rule; the text says which.
    public var isInvalidPassword: Bool { kind == .invalidPassword }
    /// The user name is empty, or no mail address.
    public var isInvalidUsername: Bool { kind == .invalidUsername }
}

/// Why a page of attributes was not taken.
public final class AttributesRequiredError: MSALNativeAuthGenericError, @unchecked Sendable {}
