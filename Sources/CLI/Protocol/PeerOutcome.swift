// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

extension Context {
    /// Leads a conversation with another program. Its last line is `{"done": …}` or `{"error": …}`, whatever happens;
    /// standard error and the exit code tell the same to whoever started the program.
    func converse(_ body: (inout Peer) async throws -> PeerOutcome) async throws {
        do {
            var peer = try Peer(self)
            try print(json: PeerDone(done: try await body(&peer)))
        } catch let error as OutputError {
            // Also where the other program has gone: it has not heard how the flow stands.
            throw Report.output(error).failure
        } catch {
            // Where it cannot be told here, standard error and the exit code still do.
            try? print(json: ErrorObject(Report(error)))
            throw error
        }
    }
}

/// How a conversation ended well: with an account that is signed in, or with the name of one that has to sign in yet.
struct PeerOutcome: Encodable {
    var username: String
    var signed_in: SignedInObject?
}

private struct PeerDone: Encodable {
    var done: PeerOutcome
}

extension PeerOutcome {
    init(_ account: Account, _ profile: Profile) async throws {
        username = account.username
        signed_in = SignedInObject(account, profile, try await account.accessToken())
    }
}
