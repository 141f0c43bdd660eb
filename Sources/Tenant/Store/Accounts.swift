// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A person's account.
struct StoredAccount: Sendable {
    /// The object id.
    let id: String
    let username: EmailAddress
    /// An Argon2id PHC string; nil for an account that signs in with codes.
    let password: String?
    let attributes: [String: JSONValue]
    let failures: Int64
    let lockedUntil: Int64
    let recentFailures: [UInt8]
    let createdAt: Int64
    let status: AccountStatus
    /// How often the password has been replaced.
    let generation: Int64

    /// - Throws: For a row that cannot be read, or is filed under another name: never "no such user" for a failure.
    fileprivate init(_ row: Row) throws(StoreError) {
        guard let id = row.text(0), let username = row.text(1).flatMap(EmailAddress.init),
            let attributes = row.text(3).flatMap({ JSONValue(json: $0.utf8)?.object }), row.text(13) == username.key
        else { throw .damaged("an account cannot be read") }
        self.id = id
        self.username = username
        password = row.text(2)
        self.attributes = attributes
        failures = row.integer(4) ?? 0
        lockedUntil = row.integer(5) ?? 0
        recentFailures = row.blob(6) ?? []
        createdAt = row.integer(7) ?? 0
        status = AccountStatus(
            alias: row.text(8), isDisabled: row.integer(9) == 1, mustChangePassword: row.integer(10) == 1,
            identityProvider: row.text(11))
        generation = row.integer(12) ?? 0
    }

    /// An account that is not there.
    init(nobody username: EmailAddress, password: String?) {
        id = ""
        self.username = username
        self.password = password
        attributes = [:]
        failures = 0
        lockedUntil = 0
        recentFailures = []
        createdAt = 0
        status = AccountStatus()
        generation = 0
    }

    /// Whether `name` is one that the account goes by.
    func isNamed(_ name: String) -> Bool {
        EmailAddress(name)?.key == username.key
            || status.alias.map { $0.lowercased() == name.lowercased() } ?? false
    }
}

/// What an administrator decides about an account.
package struct AccountStatus: Sendable, Codable, Equatable {
    /// Another name to sign in with, besides the address.
    package var alias: String?
    package var isDisabled = false
    /// Whether the password is good for nothing until it has been replaced.
    package var mustChangePassword = false
    /// Who else proves who the person is; nil for the tenant itself. Such people need a browser.
    package var identityProvider: String?

    /// Whether a text can be an alias, or none: one that could be an address would be somebody else's name.
    package static func canBe(alias: String) -> Bool {
        alias.utf8.count <= 64
            && alias.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension IdentityProvider {
    private static let columns = """
        id, username, password, attributes, failures, locked_until, recent_failures, created_at, alias, disabled,
        change_password, identity_provider, generation, username_key
        """

    func account(_ id: String, _ connection: inout Connection) throws -> StoredAccount? {
        try connection.rows("SELECT \(Self.columns) FROM account WHERE id = ?", .text(id)).first.map(StoredAccount.init)
    }

    func account(named username: EmailAddress, _ connection: inout Connection) throws -> StoredAccount? {
        try connection.rows("SELECT \(Self.columns) FROM account WHERE username_key = ?", .text(username.key))
            .first.map(StoredAccount.init)
    }

    /// The account that a person means by what was typed at a sign-in: an address, or an alias where that is allowed and
    /// there is a password to go with it.
    ///
    /// - Throws: A refusal for what cannot be a name, and for a name that is nobody's.
    func account(calling itself: String, _ connection: inout Connection) throws -> StoredAccount {
        guard let found = try findAccount(calling: itself, &connection) else { throw Refusal.userUnknown }
        guard !found.status.isDisabled else { throw Refusal.accountDisabled }
        return found
    }

    /// The same, and nil for a name that is nobody's.
    func findAccount(calling itself: String, _ connection: inout Connection) throws -> StoredAccount? {
        if let address = EmailAddress(itself) { return try account(named: address, &connection) }
        guard settings.aliasSignIn else { throw Refusal.missing("username") }
        return try connection.rows("SELECT \(Self.columns) FROM account WHERE lower(alias) = lower(?)", .text(itself))
            .first.map(StoredAccount.init).flatMap { $0.password == nil ? nil : $0 }
    }

    /// Makes the account of a finished sign-up; nil if another sign-up was faster.
    func createAccount(_ draft: SignUpDraft, _ exchange: Exchange, _ connection: inout Connection) throws
        -> StoredAccount?
    {
        let id = random.uuid()
        let attributes = try StoredJSON.text(draft.attributes)
        let made = try connection.run(
            """
            INSERT INTO account (id, username_key, username, password, attributes, created_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (username_key) DO NOTHING
            """, .text(id), .text(draft.username.key), .text(draft.username.text), SQLValue(draft.password),
            .text(attributes), .integer(exchange.seconds))
        guard made == 1 else { return nil }
        try audit(AuditEvent(.signUp, account: id), exchange, &connection)
        return try account(id, &connection)
    }
}

// MARK: - Passwords

extension IdentityProvider {
    /// Replaces the password: the account is open again, and whoever was signed in with the old one is not any more.
    func replacePassword(of id: String, with hash: String, _ connection: inout Connection) throws {
        try keepPassword(of: id, &connection)
        try connection.run(
            """
            UPDATE account SET password = ?, generation = generation + 1, change_password = 0, failures = 0,
            locked_until = 0, recent_failures = NULL WHERE id = ?
            """, .text(hash), .text(id))
        try connection.run("UPDATE session SET revoked = 1 WHERE account = ?", .text(id))
    }
}

extension IdentityProvider {
    /// Keeps the password that is about to be replaced, as long as it cannot be chosen again.
    private func keepPassword(of id: String, _ connection: inout Connection) throws {
        try connection.run(
            """
            INSERT INTO former_password (account, generation, password)
            SELECT id, generation, password FROM account WHERE id = ? AND password IS NOT NULL
            ON CONFLICT (account, generation) DO NOTHING
            """, .text(id))
        try connection.run(
            """
            DELETE FROM former_password WHERE account = ?1 AND generation NOT IN
            (SELECT generation FROM former_password WHERE account = ?1 ORDER BY generation DESC LIMIT ?2)
            """, .text(id), .integer(Int64(max(0, settings.passwordHistory - 1))))
    }

    /// The hashes of the passwords that an account had before its current one, as far as they cannot be chosen again.
    func formerPasswords(of id: String, _ connection: inout Connection) throws -> [String] {
        try connection.rows(
            "SELECT password FROM former_password WHERE account = ? ORDER BY generation DESC LIMIT ?", .text(id),
            .integer(Int64(max(0, settings.passwordHistory - 1)))
        ).compactMap { $0.text(0) }
    }

    /// Stores the same password as a hash that costs more, unless it has been replaced meanwhile.
    func upgradePassword(of account: StoredAccount, to hash: String, _ connection: inout Connection) throws {
        try connection.run(
            "UPDATE account SET password = ? WHERE id = ? AND password = ?", .text(hash), .text(account.id),
            SQLValue(account.password))
    }
}

// MARK: - Smart lockout

extension IdentityProvider {
    /// Counts a wrong password. The same one again is not counted, since a person who is sure repeats it; after the
    /// threshold each further failure doubles the time for which the account is closed.
    func countFailure(
        _ password: Password, of account: StoredAccount, _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        let mark = Array(vault.mac(.wrongPassword, account.id, password.text).prefix(8))
        let known = stride(from: 0, to: account.recentFailures.count, by: 8).map { start in
            Array(account.recentFailures[start..<min(start + 8, account.recentFailures.count)])
        }
        guard !known.contains(mark) else { return }
        let recent = Array((mark + account.recentFailures).prefix(3 * 8))
        let failures = account.failures + 1
        let until = lockEnd(after: failures, at: exchange.seconds)
        try connection.run(
            "UPDATE account SET failures = ?, locked_until = ?, recent_failures = ? WHERE id = ?", .integer(failures),
            .integer(until), .blob(recent), .text(account.id))
        guard until > 0 else { return }
        try audit(
            AuditEvent(.accountLocked, account: account.id, detail: "until \(RFC3339.text(until))"), exchange,
            &connection)
    }

    /// Until when an account is closed after so many failures in a row; 0 for one that stays open.
    private func lockEnd(after failures: Int64, at seconds: Int64) -> Int64 {
        if settings.lockCeiling > 0, failures >= Int64(settings.lockCeiling) { return Self.never }
        let beyond = failures - Int64(settings.lockThreshold)
        guard beyond >= 0 else { return 0 }
        let longest = max(settings.lockDuration, settings.lockMaximum)
        return seconds + min(Int64(settings.lockDuration) << min(beyond, 30), Int64(longest))
    }

    /// The end of the year 9999: only a new password opens the account.
    private static let never: Int64 = 253_402_300_799

    func clearFailures(of account: StoredAccount, _ connection: inout Connection) throws {
        try connection.run(
            "UPDATE account SET failures = 0, locked_until = 0, recent_failures = NULL WHERE id = ?", .text(account.id))
    }
}
