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
    static let isCompleteAlone = true

    static var parameters: [Parameter<WhoAmICommand>] {
        [.account(to: \.account), .json(to: \.json)] + ProfileChoice.rows(within: \.choice)
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        let account = try await context.signedIn(client, named: account, in: profile)
        if json {
            let storage = StorageFacts(profile, place: context.storage(of: profile).place)
            return try context.print(json: WhoAmIObject(account, profile, storage))
        }
        try context.output.line(account.username.printable)
    }
}

/// What `whoami --json` prints.
private struct WhoAmIObject: Encodable {
    var schema = 1
    var account: AccountObject
    var profile: String
    var authority: String
    var tenant: String?
    var client_id: String
    var signed_in_at: String?
    var expires_at: String?
    var storage: StorageFacts

    init(_ account: Account, _ profile: Profile, _ storage: StorageFacts) {
        self.account = AccountObject(account)
        self.profile = profile.name
        authority = profile.authority.description
        tenant = account.claims.string("tid")
        client_id = profile.clientID
        signed_in_at = account.signedInAt?.formatted(.iso8601)
        expires_at = account.claims.date("exp")?.formatted(.iso8601)
        self.storage = storage
    }
}
