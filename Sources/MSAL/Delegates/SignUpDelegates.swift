// SPDX-License-Identifier: Apache-2.0

/// What a sign-up leads to first.
public protocol SignUpStartDelegate: MSALNativeAuthDelegate {
    /// It did not work.
    @MainActor func onSignUpStartError(error: SignUpStartError)
    /// A code was sent.
    @MainActor func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    )
    /// The user flow does not take these values.
    @MainActor func onSignUpAttributesInvalid(attributeNames: [String])
}

/// What the code of a sign-up leads to.
public protocol SignUpVerifyCodeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?)
    /// The user flow asks for attributes; there may be further pages after this one.
    @MainActor func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState)
    /// The address is verified, and the account needs a password.
    @MainActor func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState)
    /// The account exists.
    @MainActor func onSignUpCompleted(newState: SignInAfterSignUpState)
}

/// What the wish for another code leads to.
public protocol SignUpResendCodeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onSignUpResendCodeError(error: ResendCodeError, newState: SignUpCodeRequiredState?)
    /// A new code was sent; the old one is dead.
    @MainActor func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    )
}

/// What the password of a sign-up leads to.
public protocol SignUpPasswordRequiredDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onSignUpPasswordRequiredError(error: PasswordRequiredError, newState: SignUpPasswordRequiredState?)
    /// The user flow asks for attributes; there may be further pages after this one.
    @MainActor func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState)
    /// The account exists.
    @MainActor func onSignUpCompleted(newState: SignInAfterSignUpState)
}

/// What a page of attributes leads to.
public protocol SignUpAttributesRequiredDelegate: MSALNativeAuthDelegate {
    /// It did not work.
    @MainActor func onSignUpAttributesRequiredError(error: AttributesRequiredError)
    /// The user flow asks for attributes; there may be further pages after this one.
    @MainActor func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState)
    /// The user flow does not take these values.
    @MainActor func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState)
    /// The account exists.
    @MainActor func onSignUpCompleted(newState: SignInAfterSignUpState)
}
