// SPDX-License-Identifier: Apache-2.0

import Wire

/// A sign-in that waits for the choice of a second factor.
public struct MultiFactorChoice: Sendable {
    /// What the account can be proven by, at least one.
    public let methods: [AuthenticationMethod]
    let flow: SignInFlow
    let token: String

    /// Has a code sent.
    ///
    /// - Parameter method: One of ``methods``.
    /// - Returns: ``SignInStep/multiFactorCodeRequired(_:)``.
    /// - Throws: ``StepError`` with ``AuthError/Reason/methodBlocked`` and this step to choose another method, and
    ///   others.
    public func challenge(_ method: AuthenticationMethod) async throws(StepError<SignInStep>) -> SignInStep {
        try await flow.challenge(method, of: methods, token, retry: .multiFactorRequired(self))
    }

    /// Submits a code all the same. A tenant that has sent none refuses it.
    package func submit(_ code: String) async throws(StepError<SignInStep>) -> SignInStep {
        try await flow.submitSecond(code, token, retry: .multiFactorRequired(self))
    }
}

/// A sign-in that waits for the code of a second factor.
public struct MultiFactorCode: Sendable {
    /// Where the code went.
    public let delivery: CodeDelivery
    /// By which method.
    public let method: AuthenticationMethod
    /// All methods, to choose another one.
    public let methods: [AuthenticationMethod]
    let flow: SignInFlow
    let token: String

    /// Submits the code.
    ///
    /// - Parameter code: The digits, without blanks.
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidCode`` and this step to try again from, and others.
    public func submit(_ code: String) async throws(StepError<SignInStep>) -> SignInStep {
        try await flow.submitSecond(code, token, retry: .multiFactorCodeRequired(self))
    }

    /// Has a new code sent; the old one is dead from then on.
    ///
    /// - Throws: ``StepError`` with ``AuthError/Reason/tooManyCodes``, while the old code stays usable, and others.
    public func resend() async throws(StepError<SignInStep>) -> SignInStep {
        try await challenge(method)
    }

    /// Has a code sent by another method.
    ///
    /// - Parameter method: One of ``methods``.
    /// - Throws: ``StepError`` with this step, whose code stays usable.
    public func challenge(_ method: AuthenticationMethod) async throws(StepError<SignInStep>) -> SignInStep {
        try await flow.challenge(method, of: methods, token, retry: .multiFactorCodeRequired(self))
    }
}

extension SignInFlow {
    /// What there is to choose from, asked for as soon as a second factor is wanted.
    func multiFactorMethods(_ token: String, retry: SignInStep?) async throws(StepError<SignInStep>) -> SignInStep {
        let call = SignIn.Introspect(clientId: conversation.clientID, continuationToken: token)
        let (methods, token) = try await conversation.methods(call, retry: retry)
        return .multiFactorRequired(MultiFactorChoice(methods: methods, flow: self, token: token))
    }

    fileprivate func submitSecond(_ code: String, _ token: String, retry: SignInStep) async throws(StepError<
        SignInStep
    >)
        -> SignInStep
    {
        guard !code.isEmpty else { throw conversation.local(.invalidCode, retry: retry) }
        var call = tokenCall(.mfaOOB, token)
        call.oob = code
        return try await redeemLast(call, retry: retry, keep: { $0.leavesFlowOpen })
    }

    fileprivate func challenge(
        _ method: AuthenticationMethod, of methods: [AuthenticationMethod], _ token: String, retry: SignInStep
    ) async throws(StepError<SignInStep>) -> SignInStep {
        let call = SignIn.Challenge(
            clientId: conversation.clientID, continuationToken: token, challengeType: conversation.challengeTypes,
            id: method.id)
        let reply = try await conversation.reply(call, retry: retry, keep: { $0.leavesFlowOpen })
        guard case .code(let delivery, let token) = try conversation.challenge(reply, of: call) else {
            throw conversation.unexpected(.challengeType("password"), call)
        }
        return .multiFactorCodeRequired(
            MultiFactorCode(delivery: delivery, method: method, methods: methods, flow: self, token: token))
    }
}
