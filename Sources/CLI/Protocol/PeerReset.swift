// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// Walks another program through a password reset.
struct PeerReset {
    let client: NativeAuthClient
    let kept: KeptFlow
    var username: String?

    func run(from resumed: ResumedStep?, _ peer: inout Peer) async throws -> ResetCompletion {
        let step =
            if let open = resumed.flatMap({ client.resetStep($0.written) }) { open } else { try await start(&peer) }
        return try await peer.lead(from: step, kept) { try await answer($0, after: $1, &$2) }
    }

    private func start(_ peer: inout Peer) async throws -> ResetStep {
        try await peer.begin(username) { (name) async throws(StepError<ResetStep>) in
            try await client.resetPassword(username: name)
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
