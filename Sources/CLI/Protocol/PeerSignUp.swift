// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// Walks another program through a sign-up.
struct PeerSignUp {
    let client: NativeAuthClient
    let kept: KeptFlow
    /// What flags have said already.
    var username: String?
    var attributes: [String: AttributeValue]

    func run(from resumed: ResumedStep?, _ peer: inout Peer) async throws -> SignUpCompletion {
        let step =
            if let open = resumed.flatMap({ client.signUpStep($0.written) }) { open } else { try await start(&peer) }
        return try await peer.lead(from: step, kept) { try await answer($0, after: $1, &$2) }
    }

    private func start(_ peer: inout Peer) async throws -> SignUpStep {
        try await peer.begin(username) { (name) async throws(StepError<SignUpStep>) in
            try await client.signUp(username: name, attributes: attributes)
        }
    }

    private func answer(
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
