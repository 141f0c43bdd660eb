// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// Walks another program through a sign-in.
struct PeerSignIn {
    let client: NativeAuthClient
    /// Nil where a sign-in only ends what another flow began.
    var kept: KeptFlow?
    var username: String?
    var scopes: [String]

    func run(from resumed: ResumedStep?, _ peer: inout Peer) async throws -> Account {
        let step =
            if let open = resumed.flatMap({ client.signInStep($0.written) }) { open } else { try await start(&peer) }
        return try await finish(step, &peer)
    }

    /// Goes on from a step to the account.
    func finish(_ step: SignInStep, _ peer: inout Peer) async throws -> Account {
        try await peer.lead(from: step, kept) { try await answer($0, after: $1, &$2) }
    }

    private func start(_ peer: inout Peer) async throws -> SignInStep {
        try await peer.begin(username) { (name) async throws(StepError<SignInStep>) in
            try await client.signIn(username: name, scopes: scopes)
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
