// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Glibc
import NativeAuth

/// `nativeauth status`: one look at the token cache, quick enough for a shell's prompt.
struct StatusCommand: CLICommand {
    var choice = ProfileChoice()
    var account: String?
    var json = false
    var quiet = false

    static let name = "status"
    static let summary = "Show the session and what the next command will need, offline"

    static var parameters: [Parameter<StatusCommand>] {
        [
            .account(to: \.account), .json(to: \.json),
            .flag("--quiet", "-q", to: \.quiet, help: "Say nothing; the exit code tells."),
        ] + ProfileChoice.rows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("nativeauth status"),
            Example("nativeauth status -q || nativeauth signin", "Sign in only if that is needed."),
            Example("nativeauth status --json | jq -r .needs", "Prints none, refresh or signin."),
        ]
    }

    static var discussion: String {
        """
        Exits with 0 when a token can be had without a person, and with 4 when a sign-in is needed. Nothing is asked \
        over the network: whether the tenant still accepts the session shows when a token is refreshed.
        """
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        // Looked at first: reading the cache closes a file that others could read.
        let storage = StorageFacts(path: profile.accountFile)
        let named = try await context.namedAccount(client, account, in: profile)
        let state = try client.state(of: named?.homeAccountID, orDamaged: ())
        let status = SessionStatus(state, profile, storage, now: context.time.now())
        if json {
            try context.print(json: status)
        } else if !quiet {
            try context.output.write(status.text)
        }
        if !status.usable { throw EndedQuietly(status: .signInNeeded) }
    }
}

/// A command that has said on standard output what there is to say, and ends with a number of its own.
struct EndedQuietly: Error {
    let status: ExitStatus
}

extension NativeAuthClient {
    /// The state of the session; nil where the cache is damaged, which the next sign-in puts right.
    fileprivate func state(of id: String?, orDamaged: Void) throws(AuthError) -> SessionState? {
        do throws(AuthError) {
            return try state(of: id)
        } catch {
            guard case .storage(.corrupt) = error.reason else { throw error }
            return nil
        }
    }
}

/// Where the tokens are, as `status --json` prints it.
struct StorageFacts: Encodable, Sendable {
    var backend = "file"
    var path: String
    /// In octal digits, as `chmod` has it; nil while there is no file.
    var mode: String?
    var encrypted = false

    init(path: String) {
        self.path = path
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return }
        let digits = String(facts.st_mode & 0o7777, radix: 8)
        mode = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
