// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth switch`.
struct SwitchCommand: CLICommand {
    var choice = ProfileChoice()
    var account: String?
    var quiet = false

    static let name = "switch"
    static let summary = "Choose the account that commands mean"

    static var parameters: [Parameter<SwitchCommand>] {
        [
            .positional(
                "ACCOUNT", to: \.account,
                help:
                    "Its address or id; may be left out where exactly two are signed in, and means the other one then."),
            .quiet(to: \.quiet),
        ] + ProfileChoice.rows(within: \.choice)
    }

    static var examples: [Example] {
        [Example("nativeauth switch bo@example.com"), Example("nativeauth switch", "To the other one of two.")]
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        let chosen =
            if let account { try await context.signedIn(client, named: account, in: profile) } else {
                try await other(client, context)
            }
        try await chosen.makeActive()
        context.note("Commands mean \(chosen.username.printable) now.", quiet: quiet)
    }

    /// The one that is not active.
    private func other(_ client: NativeAuthClient, _ context: Context) async throws -> Account {
        let accounts = try await context.withCache(of: client) { () async throws(AuthError) in try client.accounts() }
        switch accounts.count {
        case 0: throw AuthError(.signInRequired)
        case 1:
            throw CommandFailure(
                .failed, "Only \(accounts[0].username.printable) is signed in.",
                hint: "Sign another account in with 'nativeauth signin'.")
        case 2: return accounts[1]
        default:
            throw CommandFailure(
                .usage, "\(accounts.count) accounts are signed in: say which one.",
                hint: "See them with 'nativeauth accounts'.")
        }
    }
}
