// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What all calls of one flow share: the client they go through, the user they are about, and the id that ties them
/// together in the server's log.
struct Conversation<Step: Sendable>: Sendable {
    let client: NativeAuthClient
    let username: String
    let correlation: Correlation

    init(_ client: NativeAuthClient, username: String, _ correlation: Correlation) {
        self.client = client
        self.username = username
        self.correlation = correlation
    }

    /// The same conversation, carried on by another flow.
    init<Other>(continuing other: Conversation<Other>) {
        client = other.client
        username = other.username
        correlation = other.correlation
    }

    var correlationID: String { correlation.id }
    var clientID: String { client.configuration.clientID }
    var challengeTypes: Words<ChallengeType> { client.configuration.challengeTypes.words }
    var capabilities: Words<Capability>? { client.configuration.capabilities.words }

    /// Makes a call; an error names the step that may be tried again, if there is one.
    ///
    /// - Parameter keep: After which errors the step stays open.
    func answer<C: Call>(
        _ call: C, retry: Step?, keep: (AuthError) -> Bool = { $0.leavesStepUsable }
    ) async throws(StepError<Step>) -> Service.Answer<C.Reply> {
        do {
            return try await client.service.answer(call, correlation)
        } catch {
            throw StepError(error: error, retry: keep(error) ? retry : nil)
        }
    }

    /// Makes a call whose refusal can only end the step.
    func reply<C: Call>(
        _ call: C, retry: Step?, keep: (AuthError) -> Bool = { $0.leavesStepUsable }
    ) async throws(StepError<Step>) -> C.Reply {
        switch try await answer(call, retry: retry, keep: keep) {
        case .reply(let reply):
            return reply
        case .refusal(let refusal):
            let error = AuthError(refusal)
            throw StepError(error: error, retry: keep(error) ? retry : nil)
        }
    }

    /// The token that the next call needs.
    func token<C: Call>(in continuation: Continuation, of call: C) throws(StepError<Step>) -> String {
        if let token = continuation.continuationToken { return token }
        throw unexpected(.missing("continuation_token"), call)
    }

    func challenge<C: Call>(_ reply: ChallengeReply, of call: C) throws(StepError<Step>) -> Challenge {
        try challenge(reply, of: call, target: reply.challengeTargetLabel)
    }

    func challenge<C: Call>(_ reply: ChallengeReply, of call: C, target: String?) throws(StepError<Step>) -> Challenge {
        do {
            return try Challenge(reply, target: target)
        } catch {
            var error = error
            error.correlationID = correlationID
            error.endpoint = C.path
            throw StepError(error: error, retry: nil)
        }
    }

    /// An answer after which nobody can go on.
    func unexpected<C: Call>(_ problem: AuthError.AnswerProblem, _ call: C) -> StepError<Step> {
        var error = AuthError(.unexpectedAnswer(problem), correlationID: correlationID)
        error.endpoint = C.path
        return StepError(error: error, retry: nil)
    }

    /// An error that is found before anything is sent, so that the step stays as it was.
    func local(_ reason: AuthError.Reason, retry: Step?) -> StepError<Step> {
        StepError(error: AuthError(reason, correlationID: correlationID), retry: retry)
    }
}

extension StepError {
    /// Keeps the step only where the error leaves it usable.
    init(_ error: AuthError, retry: Step?) {
        self.init(error: error, retry: error.leavesStepUsable ? retry : nil)
    }
}

extension ChallengeTypes {
    /// The protocol's words, in the order in which Microsoft's SDKs send them.
    var words: Words<ChallengeType> {
        Words((contains(.code) ? [.oob] : []) + (contains(.password) ? [.password] : []) + [.redirect])
    }
}

extension Capabilities {
    /// The protocol's words, in the order in which Microsoft's SDKs send them; nil where there are none.
    var words: Words<Capability>? {
        let words: [Capability] =
            (contains(.multiFactor) ? [.mfaRequired] : []) + (contains(.registration) ? [.registrationRequired] : [])
        return words.isEmpty ? nil : Words(words)
    }
}
