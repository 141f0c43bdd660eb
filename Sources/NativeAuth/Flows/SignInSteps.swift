// SPDX-License-Identifier: Apache-2.0

import Wire

/// Where a sign-in stands: what the tenant wants next.
public enum SignInStep: Sendable {
    /// A code was sent; submit it, or have it sent again.
    case codeRequired(SignInCode)
    /// The account has a password.
    case passwordRequired(SignInPassword)
    /// The first factor was right, and the tenant wants a second one; choose by which method.
    case multiFactorRequired(MultiFactorChoice)
    /// A code was sent as the second factor.
    case multiFactorCodeRequired(MultiFactorCode)
    /// The account has no strong method yet, and the tenant wants one; choose which, and name the contact.
    case registrationRequired(RegistrationChoice)
    /// A code was sent to the new contact.
    case registrationCodeRequired(RegistrationCode)
    /// Signed in; the account and its tokens are in the cache.
    case completed(Account)
}

/// A sign-in that waits for a one-time passcode.
public struct SignInCode: Sendable {
    /// Where the code went.
    public let delivery: CodeDelivery
    let flow: SignInFlow
    let token: String
    var resumption: SignInResumption?

    /// Submits the code.
    ///
    /// - Parameter code: The digits, without blanks.
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidCode`` and this step to try again from, and others.
    public func submit(_ code: String) async throws(StepError<SignInStep>) -> SignInStep {
        guard !code.isEmpty else { throw flow.conversation.local(.invalidCode, retry: .codeRequired(self)) }
        if let resumption { return try await flow.resume(resumption, retry: .codeRequired(self)) }
        var call = flow.tokenCall(.oob, token)
        call.oob = code
        return try await flow.redeem(call, retry: .codeRequired(self))
    }

    /// Has a new code sent; the old one is dead from then on.
    ///
    /// - Throws: ``StepError`` with ``AuthError/Reason/tooManyCodes``, while the old code stays usable, and others.
    public func resend() async throws(StepError<SignInStep>) -> SignInStep {
        if let resumption { return try await flow.resume(resumption, retry: .codeRequired(self)) }
        return try await flow.challenge(token, password: nil, retry: .codeRequired(self))
    }
}

/// A sign-in that waits for the account's password.
public struct SignInPassword: Sendable {
    let flow: SignInFlow
    let token: String
    var resumption: SignInResumption?

    /// Submits the password.
    ///
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidCredentials`` and this step to try again from.
    public func submit(_ password: String) async throws(StepError<SignInStep>) -> SignInStep {
        guard !password.isEmpty else {
            throw flow.conversation.local(.invalidCredentials, retry: .passwordRequired(self))
        }
        if let resumption { return try await flow.resume(resumption, retry: .passwordRequired(self)) }
        var call = flow.tokenCall(.password, token)
        call.password = password
        call.username = flow.conversation.username
        call.challengeType = flow.conversation.challengeTypes
        return try await flow.redeem(call, retry: .passwordRequired(self))
    }
}
