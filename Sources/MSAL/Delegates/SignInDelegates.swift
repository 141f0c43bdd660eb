// SPDX-License-Identifier: Apache-2.0

/// What a sign-in leads to first.
public protocol SignInStartDelegate: MSALNativeAuthDelegate {
    /// It did not work.
    @MainActor func onSignInStartError(error: SignInStartError)
    /// A code was sent.
    @MainActor func onSignInCodeRequired(
        newState: SignInCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    )
    /// The account has a password.
    @MainActor func onSignInPasswordRequired(newState: SignInPasswordRequiredState)
    /// The account has to register a strong method first; choose which.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState)
    /// A second factor is wanted; choose by which method.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)
    /// Signed in; the account and its tokens are in the cache.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// What the password of a sign-in leads to.
public protocol SignInPasswordRequiredDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?)
    /// A second factor is wanted; choose by which method.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)
    /// The account has to register a strong method first; choose which.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState)
    /// Signed in; the account and its tokens are in the cache.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// What the code of a sign-in leads to.
public protocol SignInVerifyCodeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?)
    /// A second factor is wanted; choose by which method.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)
    /// The account has to register a strong method first; choose which.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState)
    /// Signed in; the account and its tokens are in the cache.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// What the wish for another code leads to.
public protocol SignInResendCodeDelegate: MSALNativeAuthDelegate {
    /// It did not work. `newState`, if there is one, can be tried again from.
    @MainActor func onSignInResendCodeError(error: ResendCodeError, newState: SignInCodeRequiredState?)
    /// A new code was sent; the old one is dead.
    @MainActor func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    )
}

/// What a sign-in after a sign-up leads to.
public protocol SignInAfterSignUpDelegate: MSALNativeAuthDelegate {
    /// It did not work.
    @MainActor func onSignInAfterSignUpError(error: SignInAfterSignUpError)
    /// The account has to register a strong method first; choose which.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState)
    /// A second factor is wanted; choose by which method.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)
    /// Signed in; the account and its tokens are in the cache.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// What a sign-in after a password reset leads to.
public protocol SignInAfterResetPasswordDelegate: MSALNativeAuthDelegate {
    /// It did not work.
    @MainActor func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError)
    /// The account has to register a strong method first; choose which.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState)
    /// A second factor is wanted; choose by which method.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)
    /// Signed in; the account and its tokens are in the cache.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// What the wish for an access token leads to.
public protocol CredentialsDelegate: MSALNativeAuthDelegate {
    /// It did not work.
    @MainActor func onAccessTokenRetrieveError(error: RetrieveAccessTokenError)
    /// The token.
    @MainActor func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult)
}
