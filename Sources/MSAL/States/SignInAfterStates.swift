// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// A sign-up has ended, and the new account can be signed in without asking for anything again.
public final class SignInAfterSignUpState: SignInAfterPreviousFlowBaseState, @unchecked Sendable {
    private let end: SignUpCompletion

    init(_ end: SignUpCompletion, _ flow: Flow) {
        self.end = end
        super.init(flow)
    }

    /// Signs the new account in.
    public func signIn(
        parameters: MSALNativeAuthSignInAfterSignUpParameters, delegate: any SignInAfterSignUpDelegate
    ) {
        let (scopes, claims) = (parameters.scopes ?? [], parameters.claimsRequest?.request)
        flow.perform(delegate, { [end] in try await end.signIn(scopes: scopes, claims: claims) }) {
            [self] delegate, outcome in
            switch SignInOutcome(outcome, flow) {
            case .awaitingMFA(let methods, let next):
                delegate.onSignInAwaitingMFA(authMethods: methods, newState: next)
            case .registration(let methods, let next):
                delegate.onSignInStrongAuthMethodRegistration(authMethods: methods, newState: next)
            case .completed(let result):
                delegate.onSignInCompleted(result: result)
            case .other(_, let failure, _):
                delegate.onSignInAfterSignUpError(error: SignInAfterSignUpError(failure))
            }
        }
    }
}

/// A password reset has ended, and the account can be signed in without asking for the password.
public final class SignInAfterResetPasswordState: SignInAfterPreviousFlowBaseState, @unchecked Sendable {
    private let end: ResetCompletion

    init(_ end: ResetCompletion, _ flow: Flow) {
        self.end = end
        super.init(flow)
    }

    /// Signs the account in.
    public func signIn(
        parameters: MSALNativeAuthSignInAfterResetPasswordParameters, delegate: any SignInAfterResetPasswordDelegate
    ) {
        let (scopes, claims) = (parameters.scopes ?? [], parameters.claimsRequest?.request)
        flow.perform(delegate, { [end] in try await end.signIn(scopes: scopes, claims: claims) }) {
            [self] delegate, outcome in
            switch SignInOutcome(outcome, flow) {
            case .awaitingMFA(let methods, let next):
                delegate.onSignInAwaitingMFA(authMethods: methods, newState: next)
            case .registration(let methods, let next):
                delegate.onSignInStrongAuthMethodRegistration(authMethods: methods, newState: next)
            case .completed(let result):
                delegate.onSignInCompleted(result: result)
            case .other(_, let failure, _):
                delegate.onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError(failure))
            }
        }
    }
}
