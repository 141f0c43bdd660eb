// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// Walks another program through a sign-in.
struct PeerSignIn {
    let client: NativeAuthClient
    /// Nil where a sign-in only ends what another flow began.
    var kept: KeptFlow?
    var username: String?
    var scopes: [String]

    mutating func run(from resumed: WrittenStep?, _ peer: inout Peer) async throws -> Account {
        let step = if let open = resumed.flatMap({ client.signInStep($0) }) { open } else { try await start(&peer) }
        return try await finish(step, &peer)
    }

    /// Goes on from a step to the account.
    func finish(_ step: SignInStep, _ peer: inout Peer) async throws -> Account {
        var step = step
        var problem: AuthError?
        while true {
            kept?.keep(step.written)
            if case .completed(let account) = step { return account }
            do {
                step = try await answer(step, after: problem, &peer)
                problem = nil
            } catch let error as StepError<SignInStep> {
                guard let open = error.retry, error.error.asksForAnotherValue else { throw error }
                (step, problem) = (open, error.error)
            }
        }
    }

    private mutating func start(_ peer: inout Peer) async throws -> SignInStep {
        var problem: AuthError?
        while true {
            let name = if let username { username } else { try peer.text(.username, after: problem) }
            username = nil
            do throws(StepError<SignInStep>) {
                return try await client.signIn(username: name, scopes: scopes)
            } catch {
                guard error.error.reason == .invalidUsername else { throw error }
                problem = error.error
            }
        }
    }

    private func answer(
        _ step: SignInStep, after problem: AuthError?, _ peer: inout Peer
    ) async throws -> SignInStep {
        switch step {
        case .codeRequired(let code):
            guard let digits = try peer.code(code.delivery, after: problem) else { return try await code.resend() }
            return try await code.submit(digits)
        case .passwordRequired(let password):
            return try await password.submit(try peer.text(.password, after: problem))
        case .multiFactorRequired(let choice):
            return try await choice.challenge(try peer.method(choice.methods, after: problem))
        case .multiFactorCodeRequired(let code):
            guard let digits = try peer.code(code.delivery, after: problem) else { return try await code.resend() }
            return try await code.submit(digits)
        case .registrationRequired(let choice):
            let method = try peer.method(choice.methods, after: problem)
            return try await choice.register(method, contact: try peer.contact(method))
        case .registrationCodeRequired(let code):
            guard let digits = try peer.code(code.delivery, after: problem) else { return try await code.resend() }
            return try await code.submit(digits)
        case .completed:
            return step
        }
    }
}
