// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// Where a flow stands. States are not used up: what failed can be tried again on the same one.
public class MSALNativeAuthBaseState: NSObject, @unchecked Sendable {
    let flow: Flow

    init(_ flow: Flow) { self.flow = flow }
}

/// Where a sign-up stands.
public class SignUpBaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// Where a sign-in stands.
public class SignInBaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// Where a password reset stands.
public class ResetPasswordBaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// Where a second factor stands.
public class MFABaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// Where the registration of a strong method stands.
public class RegisterStrongAuthBaseState: MSALNativeAuthBaseState, @unchecked Sendable {}

/// A flow has ended, and the account can be signed in.
public class SignInAfterPreviousFlowBaseState: NSObject, @unchecked Sendable {
    let flow: Flow

    init(_ flow: Flow) { self.flow = flow }
}
