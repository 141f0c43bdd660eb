// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import Wire

/// An account as it is exported, one JSON object in a line: with it, it can be made again, here or elsewhere.
package struct AccountRecord: Codable, Sendable, Equatable {
    /// The object id; a new one is made where there is none.
    package var id: String?
    package var username: String
    package var alias: String?
    /// An Argon2id PHC string. An account without a password signs in with codes.
    package var passwordHash: String?
    /// The password itself, for records from elsewhere; never exported.
    package var password: String?
    package var attributes: [String: JSONValue]?
    /// The contacts of its strong methods.
    package var methods: [String]?
    package var disabled: Bool?
    package var changePassword: Bool?
    /// Seconds since 1970.
    package var createdAt: Int64?

    package init(username: String, attributes: [String: JSONValue]? = nil) {
        self.username = username
        self.attributes = attributes
    }

    enum CodingKeys: String, CodingKey {
        case id
        case username
        case alias
        case passwordHash = "password_hash"
        case password
        case attributes
        case methods
        case disabled
        case changePassword = "change_password"
        case createdAt = "created_at"
    }
}

/// Reads a page of accounts with everything that is needed to make them again.
package struct ExportAccounts: AdminCall {
    /// The address that the page before ended with; empty for the first page.
    package var after: String
    package var limit: Int

    package init(after: String = "", limit: Int = 500) {
        self.after = after
        self.limit = limit
    }

    package struct Reply: Codable, Sendable {
        package var records: [AccountRecord]
        /// How many accounts there are in all.
        package var total: Int
    }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Reply {
        if after.isEmpty { try tenant.provider.auditReading("accounts exported") }
        return try tenant.provider.database.transaction { connection in
            var records: [AccountRecord] = []
            for account in try tenant.provider.page(of: limit, after: after, &connection) {
                records.append(AccountRecord(account, try tenant.provider.methods(of: account.id, &connection)))
            }
            let total = try connection.rows("SELECT count(*) FROM account").first?.integer(0) ?? 0
            return Reply(records: records, total: Int(total))
        }
    }
}

extension AccountRecord {
    fileprivate init(_ account: StoredAccount, _ methods: [StoredMethod]) {
        self.init(username: account.username.text, attributes: account.attributes)
        id = account.id
        alias = account.status.alias
        passwordHash = account.password
        self.methods = methods.isEmpty ? nil : methods.map(\.contact.text)
        disabled = account.status.isDisabled ? true : nil
        changePassword = account.status.mustChangePassword ? true : nil
        createdAt = account.createdAt
    }
}

/// Makes accounts from records. A record that cannot be used does not keep the others from being used.
package struct ImportAccounts: AdminCall {
    package var records: [AccountRecord]
    /// Whether an account that is there already is replaced by its record; it is left as it is otherwise.
    package var replaces: Bool

    package init(_ records: [AccountRecord], replaces: Bool) {
        self.records = records
        self.replaces = replaces
    }

    /// What became of a record.
    package enum Outcome: Codable, Sendable, Equatable {
        case made
        case replaced
        /// The address has an account already.
        case there
        case refused(String)
    }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> [Outcome] {
        // Passwords are hashed before the transaction, for that is slow.
        let prepared = records.map { record in
            Result { () throws(Unusable) in try PreparedRecord(record, tenant.provider) }
        }
        let now = tenant.provider.seconds
        return try tenant.provider.database.transaction { connection in
            var outcomes: [Outcome] = []
            for record in prepared {
                switch record {
                case .failure(let unusable): outcomes.append(.refused(unusable.reason))
                case .success(let record):
                    outcomes.append(try tenant.provider.save(record, replacing: replaces, at: now, &connection))
                }
            }
            try tenant.provider.audit("\(records.count) accounts imported", &connection)
            return outcomes
        }
    }
}

/// Why a record cannot be used, in words for its author.
private struct Unusable: Error {
    let reason: String
}

/// A record whose parts can all be used.
private struct PreparedRecord: Sendable {
    let record: AccountRecord
    let id: String
    let username: EmailAddress
    let passwordHash: String?
    let methods: [Contact]

    init(_ record: AccountRecord, _ tenant: IdentityProvider) throws(Unusable) {
        guard let username = EmailAddress(record.username) else {
            throw Unusable(reason: "'\(record.username)' is no mail address")
        }
        if let id = record.id, UUID(uuidString: id) == nil { throw Unusable(reason: "the id is no GUID") }
        if let alias = record.alias, alias.isEmpty || !AccountStatus.canBe(alias: alias) {
            throw Unusable(reason: "'\(alias)' cannot be an alias")
        }
        var methods: [Contact] = []
        for text in record.methods ?? [] {
            guard let contact = Contact(text) else {
                throw Unusable(reason: "'\(text)' is no mail address, and no number with its country code")
            }
            methods.append(contact)
        }
        self.record = record
        self.username = username
        self.methods = methods
        id = record.id?.lowercased() ?? tenant.random.uuid()
        passwordHash = try Self.hash(record, username, tenant)
    }

    private static func hash(
        _ record: AccountRecord, _ username: EmailAddress, _ tenant: IdentityProvider
    ) throws(Unusable) -> String? {
        if let password = record.password {
            guard record.passwordHash == nil else {
                throw Unusable(reason: "it has both a password and a hash of one")
            }
            do {
                return try tenant.hash(password, username)
            } catch {
                throw Unusable(reason: (error as? Refusal)?.errorDescription ?? "its password cannot be hashed")
            }
        }
        guard let hash = record.passwordHash else { return nil }
        guard PasswordHash(hash) != nil else {
            throw Unusable(reason: "its password hash is no Argon2id string, or one that costs too much to check")
        }
        return hash
    }
}

extension IdentityProvider {
    fileprivate func save(
        _ prepared: PreparedRecord, replacing: Bool, at now: Int64, _ connection: inout Connection
    ) throws -> ImportAccounts.Outcome {
        let record = prepared.record
        let former = try account(named: prepared.username, &connection)
        if former != nil, !replacing { return .there }
        if let owner = try connection.rows("SELECT username_key FROM account WHERE id = ?", .text(prepared.id)).first,
            owner.text(0) != prepared.username.key
        {
            return .refused("another account has the id \(prepared.id)")
        }
        if let alias = record.alias, let owner = try self.owner(of: alias, &connection), owner != former?.id {
            return .refused("another account goes by the alias '\(alias)'")
        }
        if let former { try connection.run("DELETE FROM account WHERE id = ?", .text(former.id)) }
        try insert(prepared, at: now, &connection)
        return former == nil ? .made : .replaced
    }

    private func insert(_ prepared: PreparedRecord, at now: Int64, _ connection: inout Connection) throws {
        let record = prepared.record
        let attributes = try StoredJSON.text(record.attributes ?? [:])
        try connection.run(
            """
            INSERT INTO account (id, username_key, username, password, attributes, created_at, alias, disabled,
            change_password) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(prepared.id), .text(prepared.username.key), .text(prepared.username.text),
            SQLValue(prepared.passwordHash), .text(attributes), .integer(record.createdAt ?? now),
            SQLValue(record.alias), .integer(record.disabled == true ? 1 : 0),
            .integer(record.changePassword == true ? 1 : 0))
        for contact in prepared.methods { try register(contact, for: prepared.id, at: now, &connection) }
    }
}
