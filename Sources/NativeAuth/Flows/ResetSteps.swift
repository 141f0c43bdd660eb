// SPDX-License-Identifier: Apache-2.0

import Wire

/// Where a password reset stands: what the tenant wants next.
public enum ResetStep: Sendable {
    /// A code was sent; submit it, or have it sent again.
    case codeRequired(ResetCode)
    /// The code was right; choose a password.
    case passwordRequired(NewPassword)
    /// The account has its new password.
    case completed(ResetCompletion)
}

/// A password reset that waits for a one-time passcode.
public struct ResetCode: Sendable {
    /// Where the code went.
    public let delivery: CodeDelivery
    let flow: ResetFlow
    let token: String

    /// Submits the code.
    ///
    /// - Parameter code: The digits, without blanks.
    /// - Returns: ``ResetStep/passwordRequired(_:)``.
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidCode`` and this step to try again from, and others.
    public func submit(_ code: String) async throws(StepError<ResetStep>) -> ResetStep {
        guard !code.isEmpty else { throw flow.conversation.local(.invalidCode, retry: .codeRequired(self)) }
        let call = ResetPassword.Continue(
            clientId: flow.conversation.clientID, continuationToken: token, grantType: .oob, oob: code)
        return try await flow.verify(call, retry: .codeRequired(self))
    }

    /// Has a new code sent; the old one is dead from then on.
    ///
    /// - Throws: ``StepError`` with ``AuthError/Reason/tooManyCodes``, while the old code stays usable, and others.
    public func resend() async throws(StepError<ResetStep>) -> ResetStep {
        try await flow.challenge(token, retry: .codeRequired(self))
    }
}

/// A password reset that waits for the new password.
public struct NewPassword: Sendable {
    /// How long the tenant waits for it, counted from the answer that led here; nil where it does not say.
    public let timeLimit: Duration?
    let flow: ResetFlow
    let token: String

    /// Submits the password, and waits until it is in place: after the first look five more at most, as far apart as
    /// the tenant asks for, or else two seconds.
    ///
    /// - Returns: ``ResetStep/completed(_:)``.
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidPassword(_:)`` and a step to submit another one to; with
    ///   ``AuthError/Reason/resetFailed`` and a step if the tenant gave up, or without one if it did not say in time;
    ///   and others. A cancelled task ends between two looks.
    public func submit(_ password: String) async throws(StepError<ResetStep>) -> ResetStep {
        guard !password.isEmpty else {
            throw flow.conversation.local(.invalidPassword(.empty), retry: .passwordRequired(self))
        }
        return try await flow.submit(password, from: self)
    }
}

/// A password reset that has ended well.
public struct ResetCompletion: Sendable {
    let flow: ResetFlow
    let token: String?

    /// The account's user name.
    public var username: String { flow.conversation.username }
    /// False where the tenant gave no token for it; then sign in with
    /// ``NativeAuthClient/signIn(username:password:scopes:claims:correlationID:)``.
    public var canSignIn: Bool { token != nil }

    /// Signs in without asking for the new password.
    ///
    /// - Parameters:
    ///   - scopes: The app's own scopes; `openid profile offline_access` are always asked for besides.
    ///   - claims: The claims that the tokens are to hold.
    /// - Returns: The account, or the second factor that the tenant wants.
    /// - Throws: ``StepError``; ``AuthError/Reason/signInRequired`` where ``canSignIn`` is false.
    public func signIn(scopes: [String] = [], claims: ClaimsRequest? = nil) async throws(StepError<SignInStep>)
        -> SignInStep
    {
        let conversation = Conversation<SignInStep>(continuing: flow.conversation)
        guard let token else { throw conversation.local(.signInRequired, retry: nil) }
        return try await SignInFlow(conversation: conversation, scopes: scopes, claims: claims).after(token)
    }
}
