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

        init(_ account: StoredAccount, methods: [Contact]) {
            id = account.id
            username = account.username.text
            hasPassword = account.password != nil
            status = account.status
            self.methods = methods
        }
    }

    /// A page of the accounts by their addresses.
    ///
    /// - Parameter last: The address that the page before ended with.
    package func accounts(after last: String = "", limit: Int = 1000) throws -> [AccountCard] {
        try database.transaction { connection in
            try page(of: limit, after: last, &connection).map { account in
                AccountCard(account, methods: try methods(of: account.id, &connection).map(\.contact))
            }
        }
    }

    func page(of limit: Int, after last: String, _ connection: inout Connection) throws -> [StoredAccount] {
        let ids = try connection.rows(
            "SELECT id FROM account WHERE username_key > ? ORDER BY username_key LIMIT ?",
            .text(EmailAddress(last)?.key ?? last), .integer(Int64(limit))
        ).compactMap { $0.text(0) }
        return try ids.compactMap { try account($0, &connection) }
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
            try set(status, of: account, &connection)
            return true
        }
    }

    func set(_ status: AccountStatus, of account: StoredAccount, _ connection: inout Connection) throws {
        if let alias = status.alias { try check(alias, of: account, &connection) }
        try connection.run(
            "UPDATE account SET alias = ?, disabled = ?, change_password = ?, identity_provider = ? WHERE id = ?",
            SQLValue(status.alias), .integer(status.isDisabled ? 1 : 0), .integer(status.mustChangePassword ? 1 : 0),
            SQLValue(status.identityProvider), .text(account.id))
        try audit("account changed", account: account.id, &connection)
    }

    /// Gives an account a strong method without asking its owner for a code.
    ///
    /// - Returns: False if there is no such account.
    package func addMethod(_ contact: Contact, to address: String) throws -> Bool {
        let seconds = seconds
        return try database.transaction { connection in
            guard let account = try account(at: address, &connection) else { return false }
            try register(contact, for: account.id, at: seconds, &connection)
            try audit("method added", account: account.id, &connection)
            return true
        }
    }

    /// Deletes an account with all that belongs to it.
    ///
    /// - Returns: False if there is no such account.
    package func deleteAccount(_ address: String) throws -> Bool {
        try database.transaction { connection in
            guard let account = try account(at: address, &connection) else { return false }
            try connection.run("DELETE FROM account WHERE id = ?", .text(account.id))
            try audit("account deleted", account: account.id, &connection)
            return true
        }
    }

    package struct AliasTaken: Error {
        let alias: String
    }

    private func check(_ alias: String, of account: StoredAccount, _ connection: inout Connection) throws {
        let owner = try owner(of: alias, &connection)
        guard owner == nil || owner == account.id else { throw AliasTaken(alias: alias) }
    }

    /// The id of the account that goes by an alias.
    func owner(of alias: String, _ connection: inout Connection) throws -> String? {
        try connection.rows("SELECT id FROM account WHERE lower(alias) = lower(?)", .text(alias)).first?.text(0)
    }

    func account(at address: String, _ connection: inout Connection) throws -> StoredAccount? {
        try EmailAddress(address).flatMap { try account(named: $0, &connection) }
    }
}
