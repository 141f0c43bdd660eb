// SPDX-License-Identifier: Apache-2.0

import Wire

/// The calls of a password reset.
struct ResetFlow: Sendable {
    let conversation: Conversation<ResetStep>

    /// How often the outcome is asked for after the first look, as in Microsoft's SDKs.
    private static let retries = 5
    /// The seconds between two looks where the tenant names none; and the most that a person waits for.
    private static let interval = 2
    private static let longestInterval = 60

    /// Opens the reset and has the code sent.
    func start() async throws(StepError<ResetStep>) -> ResetStep {
        guard !conversation.username.isEmpty else { throw conversation.local(.invalidUsername, retry: nil) }
        let call = ResetPassword.Start(
            clientId: conversation.clientID, username: conversation.username,
            challengeType: conversation.challengeTypes, capabilities: conversation.capabilities)
        let reply = try await conversation.reply(call, retry: nil)
        return try await challenge(conversation.token(in: reply, of: call), retry: nil)
    }

    /// Has a code sent.
    func challenge(_ token: String, retry: ResetStep?) async throws(StepError<ResetStep>) -> ResetStep {
        let call = ResetPassword.Challenge(
            clientId: conversation.clientID, continuationToken: token, challengeType: conversation.challengeTypes)
        // A code that is not sent again takes nothing from the one that was.
        let reply = try await conversation.reply(call, retry: retry, keep: { $0.leavesFlowOpen })
        guard case .code(let delivery, let token) = try conversation.challenge(reply, of: call) else {
            throw conversation.unexpected(.challengeType("password"), call)
        }
        return .codeRequired(ResetCode(delivery: delivery, flow: self, token: token))
    }

    /// Submits the code.
    func verify(_ call: ResetPassword.Continue, retry: ResetStep) async throws(StepError<ResetStep>) -> ResetStep {
        let reply = try await conversation.reply(call, retry: retry)
        let limit = reply.expiresIn.flatMap { $0 > 0 ? Duration.seconds($0.withinADay) : nil }
        return .passwordRequired(
            NewPassword(timeLimit: limit, flow: self, token: try conversation.token(in: reply, of: call)))
    }

    /// Submits the new password, and waits until the tenant has it in place.
    func submit(_ password: String, from step: NewPassword) async throws(StepError<ResetStep>) -> ResetStep {
        let call = ResetPassword.Submit(
            clientId: conversation.clientID, continuationToken: step.token, newPassword: password)
        let reply = try await conversation.reply(call, retry: .passwordRequired(step))
        guard let token = reply.continuationToken else {
            throw conversation.unexpected(.missing("continuation_token"), call)
        }
        let named = reply.pollInterval ?? 0
        let interval = named > 0 ? min(named, Self.longestInterval) : Self.interval
        return try await outcome(
            token, every: .seconds(interval), NewPassword(timeLimit: nil, flow: self, token: token))
    }
}

// MARK: - The outcome

extension ResetFlow {
    /// Asks how it went until there is an end.
    ///
    /// The token of `submit` is good for every look, and the newest there is: a new password goes with it too.
    private func outcome(
        _ token: String, every interval: Duration, _ step: NewPassword
    ) async throws(StepError<ResetStep>) -> ResetStep {
        let call = ResetPassword.Poll(clientId: conversation.clientID, continuationToken: token)
        for look in 0...Self.retries {
            if look > 0 { try await wait(interval, step) }
            let progress = try await conversation.reply(call, retry: .passwordRequired(step))
            switch progress.status {
            case .succeeded?:
                return .completed(ResetCompletion(flow: self, token: progress.continuationToken))
            case .failed?:
                throw failure("the tenant could not set the password", retry: .passwordRequired(step))
            case .inProgress?, .notStarted?:
                continue
            case let other:
                throw conversation.unexpected(other.map { .word($0.rawValue) } ?? .missing("status"), call)
            }
        }
        // The password may be in place a moment later, so that another one would only confuse.
        throw failure("the tenant did not say in time whether the password is set", retry: nil)
    }

    private func wait(_ interval: Duration, _ step: NewPassword) async throws(StepError<ResetStep>) {
        do { try await conversation.client.service.time.sleep(interval) } catch {
            throw conversation.local(.cancelled, retry: .passwordRequired(step))
        }
    }

    private func failure(_ message: String, retry: ResetStep?) -> StepError<ResetStep> {
        let error = AuthError(.resetFailed, message: message, correlationID: conversation.correlationID)
        return StepError(error: error, retry: retry)
    }
}
