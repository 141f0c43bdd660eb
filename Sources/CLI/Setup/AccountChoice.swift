// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

extension Parameter {
    /// The row that says which of several accounts is meant.
    static func account(to path: WritableKeyPath<Root, String?>) -> Self {
        .option(
            "--account", value: "NAME", to: path,
            help: "The account, by its address or id, instead of the active one. [NATIVEAUTH_ACCOUNT]")
    }
}

extension Context {
    /// The account that is meant: the one that the command line or NATIVEAUTH_ACCOUNT names, else the active one.
    ///
    /// - Returns: Nil when nobody is named, and nobody is signed in.
    func account(_ client: NativeAuthClient, named flag: String?, in profile: Profile) async throws -> Account? {
        if let named = try await namedAccount(client, flag, in: profile) { return named }
        return try await withCache(of: client) { () async throws(AuthError) in try client.account() }
    }

    /// The name that the command line or NATIVEAUTH_ACCOUNT gives an account; nil where neither does.
    func accountName(_ flag: String?) -> String? {
        flag ?? environment["NATIVEAUTH_ACCOUNT"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The account that the command line or NATIVEAUTH_ACCOUNT names; nil where neither does.
    func namedAccount(_ client: NativeAuthClient, _ flag: String?, in profile: Profile) async throws -> Account? {
        guard let name = accountName(flag) else { return nil }
        let accounts = try await withCache(of: client) { () async throws(AuthError) in try client.accounts() }
        guard let account = accounts.first(where: { $0.isCalled(name) }) else {
            throw CommandFailure(
                .signInNeeded, "'\(name.printable)' is not signed in with the profile '\(profile.name)'.",
                hint: "See who is with 'nativeauth accounts', or sign in: 'nativeauth signin'.")
        }
        return account
    }

    /// The same for a command that needs one.
    func signedIn(_ client: NativeAuthClient, named flag: String?, in profile: Profile) async throws -> Account {
        guard let account = try await account(client, named: flag, in: profile) else {
            throw AuthError(.signInRequired)
        }
        return account
    }

    /// Runs `body`; a damaged cache that it meets is put out of the way, and ends the command.
    func withCache<Value: Sendable>(
        of client: NativeAuthClient, _ body: () async throws(AuthError) -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            guard case .storage(.corrupt(let path)) = error.reason else { throw error }
            guard let place = try await client.setAsideDamagedCache() else { return try await body() }
            throw CommandFailure(
                .invalidData, "\(path.printable) is no token cache. It is now at \(place.printable).",
                hint: "Sign in again: 'nativeauth signin'.")
        }
    }
}

extension Account {
    /// Mail addresses are compared without case, as the tenant does.
    fileprivate func isCalled(_ name: String) -> Bool {
        let name = name.lowercased()
        return [username.lowercased(), homeAccountID, claims.string("oid")?.lowercased()].contains(name)
    }
}
