// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth signout`.
struct SignOutCommand: CLICommand {
    var choice = ProfileChoice()
    var account: String?
    var all = false
    var localOnly = false
    var json = false
    var quiet = false

    static let name = "signout"
    static let summary = "Forget an account and its tokens on this machine"

    static var parameters: [Parameter<SignOutCommand>] {
        [
            .account(to: \.account), .flag("--all", to: \.all, help: "Sign out everybody of the profile."),
            .flag("--local-only", to: \.localOnly, help: "Do not tell the tenant."), .json(to: \.json),
            .quiet(to: \.quiet),
        ] + ProfileChoice.rows(within: \.choice)
    }

    static var discussion: String {
        """
        The tokens on this machine go first, and with --all whatever was put aside of damaged caches. Then the session \
        is revoked at the tenant, where the tenant offers that: the local tenant does, Entra External ID does not for \
        native authentication. Access tokens that were copied elsewhere stay valid until they expire.

        Exits with 75 when the tokens are gone here and the tenant could not be told, and also, with the tokens still here, \
        when another process does not let go of them in time; the message says which.
        """
    }

    func run(_ context: Context) async throws {
        if all, account != nil {
            throw CommandFailure(.usage, "--all and --account exclude each other.")
        }
        let (client, profile) = try context.client(choice, patience: .seconds(10))
        // Nobody can be told from it, so all of it goes.
        let wasUnreadable = try (all || context.accountName(account) == nil) && client.finding().isUnreadable
        if wasUnreadable { try await client.forget() }
        let chosen = all ? nil : try await context.account(client, named: account, in: profile)
        forgetFlow(of: chosen, profile, context)
        let revocation = try await end(chosen, client, context.storage(of: profile))
        // Who is meant by a variable has just been signed out.
        let next = all ? nil : try client.account()
        if json {
            try context.print(json: SignedOutObject(chosen, profile, revocation, next))
        } else {
            if wasUnreadable { context.note("The token cache could not be read. It is gone, with what was in it.") }
            tell(context, chosen, next, revocation)
        }
        if case .failed = revocation { throw EndedQuietly(status: .tryAgain) }
    }

    /// Nil where the tenant is not to be told.
    private func end(
        _ account: Account?, _ client: NativeAuthClient, _ storage: any TokenStorage
    ) async throws -> Revocation? {
        if let account {
            guard localOnly else { return try await account.signOutEverywhere() }
            try await account.signOut()
        } else if try all || storage.load() != nil {
            // Tokens can be there though nobody can be named, as when another program has left half an account.
            guard localOnly else { return try await client.signOutEverybody() }
            try await client.forget()
        }
        return nil
    }

    /// What the account was in the middle of goes too; without an account, whatever there is.
    private func forgetFlow(of account: Account?, _ profile: Profile, _ context: Context) {
        guard let file = KeptFile(profile: profile.name, environment: context.environment) else { return }
        if let account {
            guard let username = try? file.read().step.username, username == account.username else { return }
        }
        file.remove()
    }

    private func tell(_ context: Context, _ account: Account?, _ next: Account?, _ revocation: Revocation?) {
        let text =
            all
            ? "Signed everybody out."
            : account.map { "Signed out \($0.username.printable)." } ?? "Nobody was signed in."
        context.note(text, quiet: quiet)
        if let next { context.note("Commands mean \(next.username.printable) now.", quiet: quiet) }
        guard case .failed(let error) = revocation else { return }
        context.note(
            "The tenant was not told: \(error.sentence) What was copied elsewhere stays valid until it expires.")
    }
}

/// What `signout --json` prints.
private struct SignedOutObject: Encodable {
    var schema = 1
    var account: AccountObject?
    var profile: String
    /// What became of the session at the tenant: `revoked`, `not_offered`, `nothing_to_revoke`, `failed` or `not_asked`.
    var revocation: String
    /// Who is the active account now.
    var active: AccountObject?

    init(_ account: Account?, _ profile: Profile, _ revocation: Revocation?, _ next: Account?) {
        self.account = account.map(AccountObject.init)
        self.profile = profile.name
        active = next.map(AccountObject.init)
        self.revocation =
            switch revocation {
            case nil: "not_asked"
            case .revoked: "revoked"
            case .notOffered: "not_offered"
            case .nothingToRevoke: "nothing_to_revoke"
            case .failed: "failed"
            }
    }
}
