// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

// The calls of 1.x, which Microsoft's SDK has dropped, for code that was written for them.

extension MSALNativeAuthPublicClientApplication {
    /// Opens a sign-up.
    @available(*, deprecated, message: "Use signUp(parameters:delegate:) instead.")
    public func signUp(
        username: String, password: String? = nil, attributes: [String: Any]? = nil, correlationId: UUID? = nil,
        delegate: any SignUpStartDelegate
    ) {
        let parameters = MSALNativeAuthSignUpParameters(username: username)
        parameters.password = password
        parameters.attributes = attributes
        parameters.correlationId = correlationId
        signUp(parameters: parameters, delegate: delegate)
    }

    /// Opens a sign-in.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:) instead.")
    public func signIn(
        username: String, password: String? = nil, scopes: [String]? = nil, correlationId: UUID? = nil,
        delegate: any SignInStartDelegate
    ) {
        let parameters = MSALNativeAuthSignInParameters(username: username)
        parameters.password = password
        parameters.scopes = scopes
        parameters.correlationId = correlationId
        signIn(parameters: parameters, delegate: delegate)
    }

    /// Opens the reset of a forgotten password.
    @available(*, deprecated, message: "Use resetPassword(parameters:delegate:) instead.")
    public func resetPassword(
        username: String, correlationId: UUID? = nil, delegate: any ResetPasswordStartDelegate
    ) {
        let parameters = MSALNativeAuthResetPasswordParameters(username: username)
        parameters.correlationId = correlationId
        resetPassword(parameters: parameters, delegate: delegate)
    }
}

extension SignInAfterSignUpState {
    /// Signs the new account in.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:) instead.")
    public func signIn(scopes: [String]? = nil, delegate: any SignInAfterSignUpDelegate) {
        let parameters = MSALNativeAuthSignInAfterSignUpParameters()
        parameters.scopes = scopes
        signIn(parameters: parameters, delegate: delegate)
    }
}

extension SignInAfterResetPasswordState {
    /// Signs the account in.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:) instead.")
    public func signIn(scopes: [String]? = nil, delegate: any SignInAfterResetPasswordDelegate) {
        let parameters = MSALNativeAuthSignInAfterResetPasswordParameters()
        parameters.scopes = scopes
        signIn(parameters: parameters, delegate: delegate)
    }
}

extension MSALNativeAuthUserAccountResult {
    /// An access token for the scopes of the sign-in.
    @available(*, deprecated, message: "Use getAccessToken(parameters:delegate:) instead.")
    public func getAccessToken(
        forceRefresh: Bool = false, correlationId: UUID? = nil, delegate: any CredentialsDelegate
    ) {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.forceRefresh = forceRefresh
        parameters.correlationId = correlationId
        getAccessToken(parameters: parameters, delegate: delegate)
    }

    /// An access token for some scopes, one at least.
    @available(*, deprecated, message: "Use getAccessToken(parameters:delegate:) instead.")
    public func getAccessToken(
        scopes: [String], forceRefresh: Bool = false, correlationId: UUID? = nil, delegate: any CredentialsDelegate
    ) {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = scopes
        parameters.forceRefresh = forceRefresh
        parameters.correlationId = correlationId
        guard scopes.isEmpty else { return getAccessToken(parameters: parameters, delegate: delegate) }
        let flow = Flow(client, correlationId)
        flow.perform(delegate, { throw AuthError(.invalidScope) }) { (delegate, outcome: Outcome<Void>) in
            guard case .failed(let failure, _) = outcome else { return }
            delegate.onAccessTokenRetrieveError(error: RetrieveAccessTokenError(failure, isScopeMissing: true))
        }
    }
}
