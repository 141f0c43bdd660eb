// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// `nativeauth whoami`.
struct WhoAmICommand: CLICommand {
    var choice = ProfileChoice()
    var account: String?
    var json = false

    static let name = "whoami"
    static let summary = "Show who is signed in"

    static var parameters: [Parameter<WhoAmICommand>] {
        [.account(to: \.account), .json(to: \.json)] + ProfileChoice.rows(within: \.choice)
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        let account = try await context.signedIn(client, named: account, in: profile)
        if json { return try context.print(json: WhoAmIObject(account, profile)) }
        try context.output.line(account.username.printable)
    }
}

/// What `whoami --json` prints.
private struct WhoAmIObject: Encodable {
    struct Storage: Encodable {
        var backend = "file"
        var path: String
    }

    var schema = 1
    var account: AccountObject
    var profile: String
    var authority: String
    var tenant: String?
    var client_id: String
    var signed_in_at: String?
    var expires_at: String?
    var storage: Storage

    init(_ account: Account, _ profile: Profile) {
        self.account = AccountObject(account)
        self.profile = profile.name
        authority = profile.authority.description
        tenant = account.claims.string("tid")
        client_id = profile.clientID
        signed_in_at = account.signedInAt?.formatted(.iso8601)
        expires_at = account.claims.date("exp")?.formatted(.iso8601)
        storage = Storage(path: profile.accountFile)
    }
}
