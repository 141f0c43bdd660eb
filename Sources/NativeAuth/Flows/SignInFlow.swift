// SPDX-License-Identifier: Apache-2.0

import Wire

/// The calls of a sign-in, up to its first factor.
///
/// Scopes and claims are part of the flow, so that every way to the tokens asks for the same.
struct SignInFlow: Sendable {
    let conversation: Conversation<SignInStep>
    /// The app's scopes, without the three that are always asked for.
    let scopes: [String]
    let claims: ClaimsRequest?

    /// Opens the sign-in and goes as far as it can: with a password to the tokens, if the account has one.
    func start(password: String?) async throws(StepError<SignInStep>) -> SignInStep {
        guard !conversation.username.isEmpty else { throw conversation.local(.invalidUsername, retry: nil) }
        guard password != "" else { throw conversation.local(.invalidCredentials, retry: nil) }
        let call = SignIn.Initiate(
            clientId: conversation.clientID, username: conversation.username,
            challengeType: conversation.challengeTypes, capabilities: conversation.capabilities)
        let reply = try await conversation.reply(call, retry: nil)
        return try await challenge(conversation.token(in: reply, of: call), password: password, retry: nil)
    }

    /// Lets the tenant choose the first factor. An account without a password gets a code, even if a password was given.
    func challenge(_ token: String, password: String?, retry: SignInStep?) async throws(StepError<SignInStep>)
        -> SignInStep
    {
        let call = SignIn.Challenge(
            clientId: conversation.clientID, continuationToken: token, challengeType: conversation.challengeTypes)
        // A code that is not sent again takes nothing from the one that was.
        let reply = try await conversation.reply(call, retry: retry, keep: { $0.leavesFlowOpen })
        switch try conversation.challenge(reply, of: call) {
        case .code(let delivery, let token):
            return .codeRequired(SignInCode(delivery: delivery, flow: self, token: token))
        case .password(let token):
            let step = SignInPassword(flow: self, token: token)
            guard let password else { return .passwordRequired(step) }
            return try await step.submit(password)
        case .preverified:
            throw conversation.unexpected(.challengeType("preverified"), call)
        }
    }

    /// Redeems the token that a finished sign-up or password reset left.
    func after(_ token: String) async throws(StepError<SignInStep>) -> SignInStep {
        var call = tokenCall(.continuationToken, token)
        call.username = conversation.username
        call.challengeType = conversation.challengeTypes
        return try await redeem(call, retry: nil)
    }

    func tokenCall(_ grant: GrantType, _ token: String) -> SignIn.Token {
        SignIn.Token(
            clientId: conversation.clientID, grantType: grant, continuationToken: token,
            scope: Words(Scope.requested(scopes)), clientInfo: "true", claims: claims?.field)
    }

    /// Exchanges the proof of a first factor for tokens, or for the question that comes after it.
    func redeem(_ call: SignIn.Token, retry: SignInStep?) async throws(StepError<SignInStep>) -> SignInStep {
        switch try await conversation.answer(call, retry: retry) {
        case .reply(let tokens):
            return .completed(try await keep(tokens))
        case .refusal(let refusal):
            switch SignInRefusal(refusal) {
            case .multiFactorRequired(let token):
                let resumption = SignInResumption.multiFactorMethods(token: token)
                return try await multiFactorMethods(token, retry: retry?.resuming(resumption))
            case .registrationRequired(let token):
                let resumption = SignInResumption.registrationMethods(token: token)
                return try await registrationMethods(token, retry: retry?.resuming(resumption))
            case .failed(let error): throw StepError(error, retry: retry)
            }
        }
    }

    /// Exchanges the last proof there can be. What asks for another one now would ask for ever.
    func redeemLast(
        _ call: SignIn.Token, retry: SignInStep?, keep: (AuthError) -> Bool
    ) async throws(StepError<SignInStep>) -> SignInStep {
        switch try await conversation.answer(call, retry: retry, keep: keep) {
        case .reply(let tokens):
            return .completed(try await self.keep(tokens))
        case .refusal(let refusal):
            var error = AuthError(refusal)
            if refusal.suberror == .mfaRequired || refusal.suberror == .registrationRequired {
                error.reason = .unexpectedAnswer(.word(refusal.suberror?.rawValue ?? ""))
                throw StepError(error: error, retry: nil)
            }
            throw StepError(error: error, retry: keep(error) ? retry : nil)
        }
    }

    /// Puts the tokens into the cache.
    private func keep(_ tokens: Tokens) async throws(StepError<SignInStep>) -> Account {
        do {
            return try await conversation.client.session.begin(
                with: tokens, scopes: scopes, correlationID: conversation.correlationID)
        } catch {
            throw StepError(error: error, retry: nil)
        }
    }
}

/// What a refusal means in a sign-in: two of them are no errors but the way on.
enum SignInRefusal: Sendable, Equatable {
    case multiFactorRequired(token: String)
    case registrationRequired(token: String)
    case failed(AuthError)

    init(_ refusal: Refusal) {
        switch (refusal.suberror, refusal.continuationToken) {
        case (.mfaRequired?, let token?) where refusal.error == .invalidGrant:
            self = .multiFactorRequired(token: token)
        case (.registrationRequired?, let token?) where refusal.error == .invalidGrant:
            self = .registrationRequired(token: token)
        case (.mfaRequired?, _), (.registrationRequired?, _):
            var error = AuthError(refusal)
            error.reason = .unexpectedAnswer(.missing("continuation_token"))
            self = .failed(error)
        default:
            self = .failed(AuthError(refusal))
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
