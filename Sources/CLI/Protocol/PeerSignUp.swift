// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// Walks another program through a sign-up.
struct PeerSignUp {
    let client: NativeAuthClient
    let kept: KeptFlow
    /// What flags have said already.
    var username: String?
    var attributes: [String: AttributeValue]

    mutating func run(from resumed: WrittenStep?, _ peer: inout Peer) async throws -> SignUpCompletion {
        var problem: AuthError?
        var step = if let open = resumed.flatMap({ client.signUpStep($0) }) { open } else { try await start(&peer) }
        while true {
            kept.keep(step.written)
            if case .completed(let done) = step { return done }
            do {
                step = try await answer(step, after: problem, &peer)
                problem = nil
            } catch let error as StepError<SignUpStep> {
                guard let open = error.retry, error.error.asksForAnotherValue else { throw error }
                (step, problem) = (open, error.error)
            }
        }
    }

    private mutating func start(_ peer: inout Peer) async throws -> SignUpStep {
        var problem: AuthError?
        while true {
            let name = if let username { username } else { try peer.text(.username, after: problem) }
            username = nil
            do throws(StepError<SignUpStep>) {
                return try await client.signUp(username: name, attributes: attributes)
            } catch {
                guard error.error.reason == .invalidUsername else { throw error }
                problem = error.error
            }
        }
    }

    private mutating func answer(
        _ step: SignUpStep, after problem: AuthError?, _ peer: inout Peer
    ) async throws -> SignUpStep {
        switch step {
        case .codeRequired(let code):
            guard let digits = try peer.code(code.delivery, after: problem) else { return try await code.resend() }
            return try await code.submit(digits)
        case .passwordRequired(let password):
            return try await password.submit(try peer.text(.newPassword, after: problem))
        case .attributesRequired(let page):
            return try await page.submit(try peer.attributes(page.attributes, after: problem))
        case .completed:
            return step
        }
    }
}
