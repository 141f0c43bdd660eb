// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What the tenant's owner sees and changes of people's accounts.
extension IdentityProvider {
    /// An account, as its administrator sees it.
    package struct AccountCard: Sendable, Codable, Equatable {
        package var id: String
        package var username: String
        package var hasPassword: Bool
        package var status: AccountStatus
        /// The contacts of its strong methods.
        package var methods: [Contact]
    }

    /// The accounts by their addresses.
    package func accounts(limit: Int = 1000) throws -> [AccountCard] {
        try database.transaction { connection in
            let ids = try connection.rows(
                "SELECT id FROM account ORDER BY username_key LIMIT ?", .integer(Int64(limit))
            ).compactMap { $0.text(0) }
            var cards: [AccountCard] = []
            for id in ids {
                guard let account = try account(id, &connection) else { continue }
                cards.append(
                    AccountCard(
                        id: id, username: account.username.text, hasPassword: account.password != nil,
                        status: account.status, methods: try methods(of: id, &connection).map(\.contact)))
            }
            return cards
        }
    }

    /// Changes an account's status.
    ///
    /// - Returns: False if there is no such account.
    /// - Throws: ``AliasTaken`` where another account goes by the alias.
    package func changeAccount(_ address: String, _ change: (inout AccountStatus) -> Void) throws -> Bool {
        try database.transaction { connection in
            guard let account = try account(at: address, &connection) else { return false }
            var status = account.status
            change(&status)
            if let alias = status.alias { try check(alias, of: account, &connection) }
            try connection.run(
                "UPDATE account SET alias = ?, disabled = ?, change_password = ?, identity_provider = ? WHERE id = ?",
                SQLValue(status.alias), .integer(status.isDisabled ? 1 : 0),
                .integer(status.mustChangePassword ? 1 : 0),
                SQLValue(status.identityProvider), .text(account.id))
            return true
        }
    }

    /// Gives an account a strong method without asking its owner for a code.
    ///
    /// - Returns: False if there is no such account.
    package func addMethod(_ contact: Contact, to address: String) throws -> Bool {
        let seconds = Int64(now().timeIntervalSince1970)
        return try database.transaction { connection in
            guard let account = try account(at: address, &connection) else { return false }
            try register(contact, for: account.id, at: seconds, &connection)
            return true
        }
    }

    /// Takes all strong methods from an account: its owner lost them, or somebody else registered them.
    ///
    /// - Returns: False if there is no such account.
    package func removeMethods(of address: String) throws -> Bool {
        try database.transaction { connection in
            guard let account = try account(at: address, &connection) else { return false }
            try connection.run("DELETE FROM method WHERE account = ?", .text(account.id))
            return true
        }
    }

    /// Deletes an account with all that belongs to it.
    ///
    /// - Returns: False if there is no such account.
    package func deleteAccount(_ address: String) throws -> Bool {
        try database.transaction { connection in
            guard let account = try account(at: address, &connection) else { return false }
            return try connection.run("DELETE FROM account WHERE id = ?", .text(account.id)) == 1
        }
    }

    package struct AliasTaken: Error {}

    private func check(_ alias: String, of account: StoredAccount, _ connection: inout Connection) throws {
        let owner = try connection.rows("SELECT id FROM account WHERE lower(alias) = lower(?)", .text(alias)).first
        guard owner == nil || owner?.text(0) == account.id else { throw AliasTaken() }
    }

    private func account(at address: String, _ connection: inout Connection) throws -> StoredAccount? {
        try EmailAddress(address).flatMap { try account(named: $0, &connection) }
    }
}
