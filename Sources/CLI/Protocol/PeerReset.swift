// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// Walks another program through a password reset.
struct PeerReset {
    let client: NativeAuthClient
    let kept: KeptFlow
    var username: String?

    mutating func run(from resumed: WrittenStep?, _ peer: inout Peer) async throws -> ResetCompletion {
        var problem: AuthError?
        var step = if let open = resumed.flatMap({ client.resetStep($0) }) { open } else { try await start(&peer) }
        while true {
            kept.keep(step.written)
            if case .completed(let done) = step { return done }
            do {
                step = try await answer(step, after: problem, &peer)
                problem = nil
            } catch let error as StepError<ResetStep> {
                guard let open = error.retry, error.error.asksForAnotherValue else { throw error }
                (step, problem) = (open, error.error)
            }
        }
    }

    private mutating func start(_ peer: inout Peer) async throws -> ResetStep {
        var problem: AuthError?
        while true {
            let name = if let username { username } else { try peer.text(.username, after: problem) }
            username = nil
            do throws(StepError<ResetStep>) {
                return try await client.resetPassword(username: name)
            } catch {
                guard error.error.reason == .invalidUsername else { throw error }
                problem = error.error
            }
        }
    }

    private func answer(
        _ step: ResetStep, after problem: AuthError?, _ peer: inout Peer
    ) async throws -> ResetStep {
        switch step {
        case .codeRequired(let code):
            guard let digits = try peer.code(code.delivery, after: problem) else { return try await code.resend() }
            return try await code.submit(digits)
        case .passwordRequired(let password):
            return try await password.submit(try peer.text(.newPassword, after: problem))
        case .completed:
            return step
        }
    }
}
