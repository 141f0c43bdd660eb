// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// `nativeauth accounts`.
struct AccountsCommand: CLICommand {
    var choice = ProfileChoice()
    var json = false

    static let name = "accounts"
    static let summary = "List who is signed in with the profile"

    static var parameters: [Parameter<AccountsCommand>] {
        [.json(to: \.json)] + ProfileChoice.rows(within: \.choice)
    }

    static var discussion: String {
        """
        The active account, marked with '*', is the one that commands mean unless --account names another. A sign-in makes \
        its account the active one; 'nativeauth switch' chooses among those that are there.
        """
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        let accounts = try await context.withCache(of: client) { () async throws(AuthError) in try client.accounts() }
        if json { return try context.print(json: AccountsObject(accounts, profile)) }
        for (index, account) in accounts.enumerated() {
            try context.output.line((index == 0 ? "* " : "  ") + account.username.printable)
        }
        if accounts.isEmpty { context.note("Nobody is signed in.") }
    }
}

/// What `accounts --json` prints.
private struct AccountsObject: Encodable {
    struct Row: Encodable {
        var id: String
        var username: String
        var name: String?
        var active: Bool
        var signed_in_at: String?
    }

    var schema = 1
    var profile: String
    var accounts: [Row]

    init(_ accounts: [Account], _ profile: Profile) {
        self.profile = profile.name
        self.accounts = accounts.enumerated().map { index, account in
            Row(
                id: account.homeAccountID, username: account.username, name: account.claims.string("name"),
                active: index == 0, signed_in_at: account.signedInAt?.formatted(.iso8601))
        }
    }
}
