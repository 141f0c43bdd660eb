// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
package import Wire

/// Reads a page of the accounts.
package struct ReadAccounts: AdminCall {
    /// The address that the page before ended with; empty for the first page.
    package var after: String
    package var limit: Int

    package init(after: String = "", limit: Int = 1000) {
        self.after = after
        self.limit = limit
    }

    package func run(
        on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void
    ) throws -> [IdentityProvider.AccountCard] {
        try tenant.provider.accounts(after: after, limit: limit)
    }
}

/// Reads all that there is to know about an account.
package struct ReadAccount: AdminCall {
    package var username: String

    package init(_ username: String) { self.username = username }

    package struct Reply: Codable, Sendable {
        package var card: IdentityProvider.AccountCard
        package var attributes: [String: JSONValue]
        package var createdAt: Date
        /// Until when the account is closed because of wrong passwords; nil for one that is open.
        package var lockedUntil: Date?
        /// How many sessions can still be refreshed.
        package var sessions: Int
    }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Reply {
        let now = tenant.provider.seconds
        return try tenant.provider.database.transaction { connection in
            let account = try tenant.provider.known(username, &connection)
            let sessions = try connection.rows(
                "SELECT count(*) FROM session WHERE account = ? AND revoked = 0 AND expires_at > ?", .text(account.id),
                .integer(now))
            return Reply(
                card: .init(account, methods: try tenant.provider.methods(of: account.id, &connection).map(\.contact)),
                attributes: account.attributes,
                createdAt: Date(timeIntervalSince1970: TimeInterval(account.createdAt)),
                lockedUntil: account.lockedUntil > now
                    ? Date(timeIntervalSince1970: TimeInterval(account.lockedUntil)) : nil,
                sessions: Int(sessions.first?.integer(0) ?? 0))
        }
    }
}

/// Changes what an account may do, and how; nil leaves what there is.
package struct ChangeAccount: AdminCall {
    package var username: String
    package var isDisabled: Bool?
    package var mustChangePassword: Bool?
    /// Empty for none.
    package var alias: String?
    package var forgetsMethods = false
    /// To be added.
    package var methods: [Contact] = []

    package init(_ username: String) { self.username = username }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        let now = tenant.provider.seconds
        return try tenant.provider.database.transaction { connection in
            let account = try tenant.provider.known(username, &connection)
            var status = account.status
            status.isDisabled = isDisabled ?? status.isDisabled
            status.mustChangePassword = mustChangePassword ?? status.mustChangePassword
            if let alias { status.alias = alias.isEmpty ? nil : alias }
            try tenant.provider.set(status, of: account, &connection)
            if forgetsMethods {
                try connection.run("DELETE FROM method WHERE account = ?", .text(account.id))
                try tenant.provider.audit("methods removed", account: account.id, &connection)
            }
            for contact in methods {
                try tenant.provider.register(contact, for: account.id, at: now, &connection)
                try tenant.provider.audit("method added", account: account.id, &connection)
            }
            return Done()
        }
    }
}

/// Gives an account a password: who was signed in with the old one is not any more.
package struct SetPassword: AdminCall {
    package var username: String
    package var password: String

    package init(_ username: String, password: String) {
        self.username = username
        self.password = password
    }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        let address = try tenant.provider.database.transaction { connection in
            try tenant.provider.known(username, &connection).username
        }
        let hash: String
        do {
            hash = try tenant.provider.hash(password, address)
        } catch let refusal as Refusal {
            throw AdminRefusal.passwordRefused(refusal.errorDescription ?? "")
        }
        return try tenant.provider.database.transaction { connection in
            let account = try tenant.provider.known(username, &connection)
            try tenant.provider.replacePassword(of: account.id, with: hash, &connection)
            try tenant.provider.audit("password set", account: account.id, &connection)
            return Done()
        }
    }
}

/// Deletes an account with all that belongs to it.
package struct DeleteAccount: AdminCall {
    package var username: String

    package init(_ username: String) { self.username = username }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        guard try tenant.provider.deleteAccount(username) else { throw AdminRefusal.noSuchAccount(username) }
        return Done()
    }
}

extension IdentityProvider {
    /// The account of this address.
    func known(_ address: String, _ connection: inout Connection) throws -> StoredAccount {
        guard let account = try account(at: address, &connection) else { throw AdminRefusal.noSuchAccount(address) }
        return account
    }
}
