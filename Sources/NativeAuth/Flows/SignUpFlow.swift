// SPDX-License-Identifier: Apache-2.0

import Wire

/// The calls of a sign-up.
struct SignUpFlow: Sendable {
    let conversation: Conversation<SignUpStep>

    /// Opens the sign-up and goes on to the first challenge.
    func start(password: String?, attributes: [String: AttributeValue]) async throws(StepError<SignUpStep>)
        -> SignUpStep
    {
        guard !conversation.username.isEmpty else { throw conversation.local(.invalidUsername, retry: nil) }
        guard password != "" else { throw conversation.local(.invalidPassword(.empty), retry: nil) }
        let call = SignUp.Start(
            clientId: conversation.clientID, username: conversation.username,
            challengeType: conversation.challengeTypes, password: password,
            attributes: attributes.isEmpty ? nil : Attributes(attributes), capabilities: conversation.capabilities)
        switch try await conversation.answer(call, retry: nil) {
        case .reply(let reply):
            return try await challenge(conversation.token(in: reply, of: call), retry: nil)
        case .refusal(let refusal):
            return try await step(after: refusal, retry: nil)
        }
    }

    /// Asks for the challenge that belongs to `token`.
    ///
    /// - Parameter keep: After which errors the step stays open; a code that is not sent again takes nothing from the one
    ///   that was.
    func challenge(
        _ token: String, retry: SignUpStep?, keep: (AuthError) -> Bool = { $0.leavesFlowOpen }
    ) async throws(StepError<SignUpStep>) -> SignUpStep {
        let call = SignUp.Challenge(
            clientId: conversation.clientID, continuationToken: token, challengeType: conversation.challengeTypes)
        let reply = try await conversation.reply(call, retry: retry, keep: keep)
        switch try conversation.challenge(reply, of: call) {
        case .code(let delivery, let token):
            return .codeRequired(SignUpCode(delivery: delivery, flow: self, token: token))
        case .password(let token):
            return .passwordRequired(SignUpPassword(flow: self, token: token))
        case .preverified:
            throw conversation.unexpected(.challengeType("preverified"), call)
        }
    }

    /// Submits a proof or attributes.
    func proceed(_ call: SignUp.Continue, retry: SignUpStep) async throws(StepError<SignUpStep>) -> SignUpStep {
        switch try await conversation.answer(call, retry: retry) {
        case .reply(let reply):
            return .completed(SignUpCompletion(flow: self, token: reply.continuationToken))
        case .refusal(let refusal):
            return try await step(after: refusal, retry: retry)
        }
    }

    private func step(after refusal: Refusal, retry: SignUpStep?) async throws(StepError<SignUpStep>) -> SignUpStep {
        switch SignUpRefusal(refusal) {
        case .challengeRequired(let token):
            return try await challenge(token, retry: retry?.resuming(token), keep: { $0.isPassing })
        case .attributesRequired(let attributes, let token):
            return .attributesRequired(
                SignUpAttributes(attributes: attributes, request: AuthError(refusal), flow: self, token: token))
        case .failed(let error):
            throw StepError(error, retry: retry)
        }
    }
}

/// What a refusal means in a sign-up: three of them are no errors but the way on.
enum SignUpRefusal: Sendable, Equatable {
    /// A password is wanted, or the address has to be verified first; the next challenge says which.
    case challengeRequired(token: String)
    case attributesRequired([RequestedAttribute], token: String)
    case failed(AuthError)

    init(_ refusal: Refusal) {
        switch (refusal.error, refusal.continuationToken) {
        case (.credentialRequired, let token?), (.verificationRequired, let token?):
            self = .challengeRequired(token: token)
        case (.attributesRequired, let token?) where refusal.requiredAttributes?.isEmpty == false:
            self = .attributesRequired((refusal.requiredAttributes ?? []).map(RequestedAttribute.init), token: token)
        case (.credentialRequired, _), (.verificationRequired, _), (.attributesRequired, _):
            var error = AuthError(refusal)
            let isAboutToken = refusal.continuationToken == nil
            error.reason = .unexpectedAnswer(.missing(isAboutToken ? "continuation_token" : "required_attributes"))
            self = .failed(error)
        default:
            self = .failed(AuthError(refusal))
        }
    }
}
