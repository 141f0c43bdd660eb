// SPDX-License-Identifier: Apache-2.0

/// What all delegates have in common: the methods that they may leave out.
///
/// A flow that comes to a method that is left out ends in the error method of the delegate at hand. Conform to the
/// delegates of the single calls, never to this alone. As in Microsoft's SDK a delegate is an object, so that others can hold
/// it weakly.
public protocol MSALNativeAuthDelegate: AnyObject {}

// One default for all delegates that have a method: with several, a class with two of them could not leave it out.
extension MSALNativeAuthDelegate {
    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignUpAttributesInvalid(attributeNames: [String]) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState)
    {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignUpCompleted(newState: SignInAfterSignUpState) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignInCodeRequired(
        newState: SignInCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignInPasswordRequired(newState: SignInPasswordRequiredState) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onPasswordRequired(newState: ResetPasswordRequiredState) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onResetPasswordCompleted(newState: SignInAfterResetPasswordState) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onMFARequestChallengeSelectionRequired(
        authMethods: [MSALAuthMethod], newState: MFARequiredState
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onRegisterStrongAuthVerificationRequired(
        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult
    ) {
        OptionalMethod.isMissing()
    }

    /// Left out: the flow ends in the delegate's error method.
    @MainActor public func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        OptionalMethod.isMissing()
    }
}
