// SPDX-License-Identifier: Apache-2.0

import Wire

/// Where a sign-up stands: what the tenant wants next.
public enum SignUpStep: Sendable {
    /// A code was sent; submit it, or have it sent again.
    case codeRequired(SignUpCode)
    /// The address is verified; choose a password.
    case passwordRequired(SignUpPassword)
    /// The user flow asks for attributes; there may be further pages after this one.
    case attributesRequired(SignUpAttributes)
    /// The account exists.
    case completed(SignUpCompletion)
}

/// A sign-up that waits for a one-time passcode.
public struct SignUpCode: Sendable {
    /// Where the code went.
    public let delivery: CodeDelivery
    let flow: SignUpFlow
    let token: String
    /// Set where the code is with the tenant already, and what is wanted next was not heard.
    var challengeToken: String?

    /// Submits the code.
    ///
    /// - Parameter code: The digits, without blanks.
    /// - Returns: What the tenant wants next.
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidCode`` and this step to try again from, and others.
    public func submit(_ code: String) async throws(StepError<SignUpStep>) -> SignUpStep {
        guard !code.isEmpty else { throw flow.conversation.local(.invalidCode, retry: .codeRequired(self)) }
        if let challengeToken { return try await flow.challenge(challengeToken, retry: .codeRequired(self)) }
        let call = SignUp.Continue(
            clientId: flow.conversation.clientID, continuationToken: token, grantType: .oob, oob: code)
        return try await flow.proceed(call, retry: .codeRequired(self))
    }

    /// Has a new code sent; the old one is dead from then on.
    ///
    /// - Returns: This step with its new delivery.
    /// - Throws: ``StepError`` with ``AuthError/Reason/tooManyCodes``, while the old code stays usable, and others.
    public func resend() async throws(StepError<SignUpStep>) -> SignUpStep {
        try await flow.challenge(challengeToken ?? token, retry: .codeRequired(self))
    }
}

/// A sign-up that waits for the password of the new account.
public struct SignUpPassword: Sendable {
    let flow: SignUpFlow
    let token: String

    /// Submits the password.
    ///
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidPassword(_:)`` and this step to try again from.
    public func submit(_ password: String) async throws(StepError<SignUpStep>) -> SignUpStep {
        guard !password.isEmpty else {
            throw flow.conversation.local(.invalidPassword(.empty), retry: .passwordRequired(self))
        }
        let call = SignUp.Continue(
            clientId: flow.conversation.clientID, continuationToken: token, grantType: .password, password: password)
        return try await flow.proceed(call, retry: .passwordRequired(self))
    }
}

/// A sign-up that waits for attributes.
public struct SignUpAttributes: Sendable {
    /// What is asked for on this page, required or not.
    public let attributes: [RequestedAttribute]
    /// In which words the tenant asked.
    package let request: AuthError
    let flow: SignUpFlow
    let token: String
    /// Set where the values are with the tenant already, and what is wanted next was not heard.
    var challengeToken: String?

    /// Submits values for this page.
    ///
    /// - Parameter values: By attribute name. What the user flow does not know is ignored by the service.
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidAttributes(_:)`` and this step to try again from.
    public func submit(_ values: [String: AttributeValue]) async throws(StepError<SignUpStep>) -> SignUpStep {
        if let challengeToken { return try await flow.challenge(challengeToken, retry: .attributesRequired(self)) }
        let call = SignUp.Continue(
            clientId: flow.conversation.clientID, continuationToken: token, grantType: .attributes,
            attributes: Attributes(values))
        return try await flow.proceed(call, retry: .attributesRequired(self))
    }
}

/// A sign-up that has ended in an account.
public struct SignUpCompletion: Sendable {
    let flow: SignUpFlow
    let token: String?

    /// The new account's user name.
    public var username: String { flow.conversation.username }
    /// False where the tenant gave no token for it; then sign in with ``NativeAuthClient/signIn(username:password:scopes:claims:correlationID:)``.
    public var canSignIn: Bool { token != nil }

    /// Signs the new account in without asking for anything again.
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
