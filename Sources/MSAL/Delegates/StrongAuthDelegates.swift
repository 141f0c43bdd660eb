// SPDX-License-Identifier: Apache-2.0

/// What the choice of a second factor leads to.
public protocol MFARequestChallengeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?)
    /// A code was sent.
    @MainActor func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int)
    /// A method has to be chosen. Microsoft's SDK has not called it since 2.5.0, and this one does not either.
    @MainActor func onMFARequestChallengeSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState)
}

/// What the code of a second factor leads to.
public protocol MFASubmitChallengeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?)
    /// Signed in; the account and its tokens are in the cache.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// What the choice of a contact leads to.
public protocol RegisterStrongAuthChallengeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onRegisterStrongAuthChallengeError(
        error: RegisterStrongAuthChallengeError, newState: RegisterStrongAuthState?)
    /// A code was sent to the new contact.
    @MainActor func onRegisterStrongAuthVerificationRequired(
        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult)
    /// Signed in; the account and its tokens are in the cache.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// What the code of a new contact leads to.
public protocol RegisterStrongAuthSubmitChallengeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onRegisterStrongAuthSubmitChallengeError(
        error: RegisterStrongAuthSubmitChallengeError, newState: RegisterStrongAuthVerificationRequiredState?)
    /// Signed in; the account and its tokens are in the cache.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}
