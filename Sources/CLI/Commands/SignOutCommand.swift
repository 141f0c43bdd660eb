// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth signout`.
struct SignOutCommand: CLICommand {
    var choice = ProfileChoice()
    var json = false
    var quiet = false

    static let name = "signout"
    static let summary = "Forget the account and its tokens on this machine"

    static var parameters: [Parameter<SignOutCommand>] {
        [.json(to: \.json), .quiet(to: \.quiet)] + ProfileChoice.rows(within: \.choice)
    }

    static var discussion: String {
        """
        Native authentication has no sign-out at the service: tokens that were copied elsewhere stay valid until they \
        expire.
        """
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        let account = try await account(client, context)
        if let account {
            try await account.signOut()
        } else if try context.storage(of: profile).load() != nil {
            // Tokens can be there though nobody can be named, as when another program has left half an account.
            try await client.forget()
        }
        if json { return try context.print(json: SignedOutObject(account.map(AccountObject.init), profile)) }
        let text = account.map { "Signed out \($0.username.printable)." } ?? "Nobody was signed in."
        context.note(text, quiet: quiet)
    }

    /// The account; nil where the key of its encrypted cache is gone, and with it everything that could be forgotten.
    private func account(_ client: NativeAuthClient, _ context: Context) async throws -> Account? {
        do {
            return try await context.account(client)
        } catch {
            guard let failure = error as? AuthError, case .storage(.keyMissing) = failure.reason else { throw error }
            try await client.forget()
            return nil
        }
    }
}

/// What `signout --json` prints.
private struct SignedOutObject: Encodable {
    var schema = 1
    var account: AccountObject?
    var profile: String

    init(_ account: AccountObject?, _ profile: Profile) {
        self.account = account
        self.profile = profile.name
    }
}
