// SPDX-License-Identifier: Apache-2.0

/// What a password reset leads to first.
public protocol ResetPasswordStartDelegate: MSALNativeAuthDelegate {
    /// It did not work.
    @MainActor func onResetPasswordStartError(error: ResetPasswordStartError)
    /// A code was sent.
    @MainActor func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int)
}

/// What the code of a password reset leads to.
public protocol ResetPasswordVerifyCodeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onResetPasswordVerifyCodeError(error: VerifyCodeError, newState: ResetPasswordCodeRequiredState?)
    /// The code was right; choose a new password.
    @MainActor func onPasswordRequired(newState: ResetPasswordRequiredState)
}

/// What the wish for another code leads to.
public protocol ResetPasswordResendCodeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onResetPasswordResendCodeError(error: ResendCodeError, newState: ResetPasswordCodeRequiredState?)
    /// A new code was sent; the old one is dead.
    @MainActor func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int)
}

/// What the new password leads to.
public protocol ResetPasswordRequiredDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onResetPasswordRequiredError(error: PasswordRequiredError, newState: ResetPasswordRequiredState?)
    /// The account has its new password.
    @MainActor func onResetPasswordCompleted(newState: SignInAfterResetPasswordState)
}
