// SPDX-License-Identifier: Apache-2.0

import Wire

/// The calls of a sign-in.
struct SignInFlow: Sendable {
    let conversation: Conversation<SignInStep>
    /// The app's scopes, without the three that are always asked for.
    let scopes: [String]

    /// Opens the sign-in and goes as far as it can: with a password to the tokens, if the account has one.
    func start(password: String?) async throws(StepError<SignInStep>) -> SignInStep {
        guard !conversation.username.isEmpty else { throw conversation.local(.invalidUsername, retry: nil) }
        guard password != "" else { throw conversation.local(.invalidCredentials, retry: nil) }
        let call = SignIn.Initiate(
            clientId: conversation.clientID, username: conversation.username,
            challengeType: conversation.challengeTypes)
        let reply = try await conversation.reply(call, retry: nil)
        return try await challenge(conversation.token(in: reply), password: password, retry: nil)
    }

    /// Lets the tenant choose the first factor. An account without a password gets a code, even if a password was given.
    func challenge(_ token: String, password: String?, retry: SignInStep?) async throws(StepError<SignInStep>)
        -> SignInStep
    {
        let call = SignIn.Challenge(
            clientId: conversation.clientID, continuationToken: token, challengeType: conversation.challengeTypes)
        switch try conversation.challenge(await conversation.reply(call, retry: retry)) {
        case .code(let delivery, let token):
            return .codeRequired(SignInCode(delivery: delivery, flow: self, token: token))
        case .password(let token):
            let step = SignInPassword(flow: self, token: token)
            guard let password else { return .passwordRequired(step) }
            return try await step.submit(password)
        }
    }

    /// Redeems the token that a finished sign-up left.
    func afterSignUp(_ token: String) async throws(StepError<SignInStep>) -> SignInStep {
        var call = tokenCall(.continuationToken, token)
        call.username = conversation.username
        call.challengeType = conversation.challengeTypes
        return try await redeem(call, retry: nil)
    }

    func tokenCall(_ grant: GrantType, _ token: String) -> SignIn.Token {
        SignIn.Token(
            clientId: conversation.clientID, grantType: grant, continuationToken: token,
            scope: Words(Scope.requested(scopes)), clientInfo: "true")
    }

    /// Exchanges the proof for tokens and keeps them.
    func redeem(_ call: SignIn.Token, retry: SignInStep?) async throws(StepError<SignInStep>) -> SignInStep {
        let tokens = try await conversation.reply(call, retry: retry)
        do {
            return .completed(
                try await conversation.client.session.begin(
                    with: tokens, scopes: scopes, correlationID: conversation.correlationID))
        } catch {
            throw StepError(error: error, retry: nil)
        }
    }
}

extension Scope {
    /// The app's scopes in their order, then the standard ones, each once.
    static func requested(_ scopes: [String]) -> [Scope] {
        var seen: Set<Scope> = []
        return (scopes.map(Scope.init(rawValue:)) + Scope.standard).filter { seen.insert($0).inserted }
    }
}
