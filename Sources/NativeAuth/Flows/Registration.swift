// SPDX-License-Identifier: Apache-2.0

import Wire

/// A sign-in that waits for a strong method to be registered.
public struct RegistrationChoice: Sendable {
    /// What can be registered, at least one.
    public let methods: [AuthenticationMethod]
    let flow: SignInFlow
    let token: String
    var resumption: SignInResumption?

    /// Registers a contact, and has a code sent to it.
    ///
    /// - Parameters:
    ///   - method: One of ``methods``.
    ///   - contact: A mail address, or a telephone number with its country code behind a `+`.
    /// - Returns: ``SignInStep/registrationCodeRequired(_:)``, or the account where the contact is proven already.
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidContact`` or ``AuthError/Reason/methodBlocked`` and this
    ///   step to name another contact, and others.
    public func register(_ method: AuthenticationMethod, contact: String) async throws(StepError<SignInStep>)
        -> SignInStep
    {
        let step = SignInStep.registrationRequired(self)
        if let resumption { return try await flow.resume(resumption, retry: step) }
        return try await flow.register(method, contact, of: methods, token, retry: step)
    }
}

/// A sign-in that waits for the code that went to a new contact.
public struct RegistrationCode: Sendable {
    /// Where the code went.
    public let delivery: CodeDelivery
    /// The method that is being registered.
    public let method: AuthenticationMethod
    /// The contact as it was given.
    public let contact: String
    /// All methods, to choose another one.
    public let methods: [AuthenticationMethod]
    let flow: SignInFlow
    let token: String
    var resumption: SignInResumption?

    /// Submits the code, and signs in.
    ///
    /// - Parameter code: The digits, without blanks.
    /// - Throws: ``StepError`` with ``AuthError/Reason/invalidCode`` and this step to try again from, and others.
    public func submit(_ code: String) async throws(StepError<SignInStep>) -> SignInStep {
        let step = SignInStep.registrationCodeRequired(self)
        guard !code.isEmpty else { throw flow.conversation.local(.invalidCode, retry: step) }
        if let resumption { return try await flow.resume(resumption, retry: step) }
        let call = Register.Continue(
            clientId: flow.conversation.clientID, continuationToken: token, grantType: .oob, oob: code)
        return try await flow.finishRegistration(call, retry: step, keep: { $0.leavesFlowOpen })
    }

    /// Has a new code sent; the old one is dead from then on.
    ///
    /// - Throws: ``StepError`` with ``AuthError/Reason/tooManyCodes``, while the old code stays usable, and others.
    public func resend() async throws(StepError<SignInStep>) -> SignInStep {
        try await register(method, contact: contact)
    }

    /// Registers another contact instead.
    ///
    /// - Parameters:
    ///   - method: One of ``methods``.
    ///   - contact: A mail address, or a telephone number with its country code behind a `+`.
    /// - Throws: ``StepError`` with this step, whose code stays usable.
    public func register(_ method: AuthenticationMethod, contact: String) async throws(StepError<SignInStep>)
        -> SignInStep
    {
        let step = SignInStep.registrationCodeRequired(self)
        if let resumption { return try await flow.resume(resumption, retry: step) }
        return try await flow.register(method, contact, of: methods, token, retry: step)
    }
}

extension SignInFlow {
    /// What there is to choose from, asked for as soon as a strong method is wanted.
    func registrationMethods(_ token: String, retry: SignInStep?) async throws(StepError<SignInStep>) -> SignInStep {
        let call = Register.Introspect(clientId: conversation.clientID, continuationToken: token)
        let (methods, token) = try await conversation.methods(call, retry: retry)
        return .registrationRequired(RegistrationChoice(methods: methods, flow: self, token: token))
    }

    fileprivate func register(
        _ method: AuthenticationMethod, _ contact: String, of methods: [AuthenticationMethod], _ token: String,
        retry: SignInStep
    ) async throws(StepError<SignInStep>) -> SignInStep {
        guard !contact.isEmpty else { throw conversation.local(.invalidContact, retry: retry) }
        let call = Register.Challenge(
            clientId: conversation.clientID, continuationToken: token, challengeType: method.challengeType,
            challengeTarget: contact, challengeChannel: Channel(rawValue: method.channel))
        let reply = try await conversation.reply(call, retry: retry, keep: { $0.leavesFlowOpen })
        switch try conversation.challenge(reply, of: call, target: reply.challengeTarget) {
        case .code(let delivery, let token):
            return .registrationCodeRequired(
                RegistrationCode(
                    delivery: delivery, method: method, contact: contact, methods: methods, flow: self, token: token))
        case .preverified(let token):
            return try await finishProven(token, retry: retry.resuming(.provenContact(token: token)))
        case .password:
            throw conversation.unexpected(.challengeType("password"), call)
        }
    }

    /// Takes note that no code was needed, which the tenant wants to hear.
    func finishProven(_ token: String, retry: SignInStep) async throws(StepError<SignInStep>) -> SignInStep {
        let call = Register.Continue(
            clientId: conversation.clientID, continuationToken: token, grantType: .continuationToken)
        return try await finishRegistration(call, retry: retry, keep: { $0.isPassing })
    }

    /// Ends the registration, and exchanges what it leaves for tokens.
    fileprivate func finishRegistration(
        _ call: Register.Continue, retry: SignInStep, keep: (AuthError) -> Bool
    ) async throws(StepError<SignInStep>) -> SignInStep {
        let reply = try await conversation.reply(call, retry: retry, keep: keep)
        let token = try conversation.token(in: reply, of: call)
        return try await redeemRegistration(token, retry: retry.resuming(.tokens(token: token)))
    }

    /// The account needs no name any more.
    func redeemRegistration(_ token: String, retry: SignInStep) async throws(StepError<SignInStep>) -> SignInStep {
        var call = tokenCall(.continuationToken, token)
        call.challengeType = conversation.challengeTypes
        return try await redeemLast(call, retry: retry, keep: { $0.isPassing })
    }
}
