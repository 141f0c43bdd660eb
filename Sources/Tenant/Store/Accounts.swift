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

    fileprivate init?(_ row: Row) {
        guard let id = row.text(0), let username = row.text(1).flatMap(EmailAddress.init),
            let attributes = row.text(3).flatMap({
                try? JSONDecoder().decode([String: JSONValue].self, from: Data($0.utf8))
            })
        else { return nil }
        self.id = id
        self.username = username
        password = row.text(2)
        self.attributes = attributes
        failures = row.integer(4) ?? 0
        lockedUntil = row.integer(5) ?? 0
        recentFailures = row.blob(6) ?? []
    }
}

extension IdentityProvider {
    private static let columns = "id, username, password, attributes, failures, locked_until, recent_failures"

    func account(_ id: String, _ connection: inout Connection) throws -> StoredAccount? {
        try connection.rows("SELECT \(Self.columns) FROM account WHERE id = ?", .text(id)).first.flatMap(
            StoredAccount.init)
    }

    func account(named username: EmailAddress, _ connection: inout Connection) throws -> StoredAccount? {
        try connection.rows("SELECT \(Self.columns) FROM account WHERE username_key = ?", .text(username.key))
            .first.flatMap(StoredAccount.init)
    }

    /// Makes the account of a finished sign-up; nil if another sign-up was faster.
    func createAccount(_ draft: SignUpDraft, _ exchange: Exchange, _ connection: inout Connection) throws -> String? {
        let id = random.uuid()
        let attributes = String(decoding: try JSONEncoder().encode(draft.attributes), as: UTF8.self)
        let made = try connection.run(
            """
            INSERT INTO account (id, username_key, username, password, attributes, created_at) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (username_key) DO NOTHING
            """, .text(id), .text(draft.username.key), .text(draft.username.text), SQLValue(draft.password),
            .text(attributes), .integer(exchange.seconds))
        return made == 1 ? id : nil
    }
}

// MARK: - Smart lockout

extension IdentityProvider {
    /// Counts a wrong password. The same one again is not counted, since a person who is sure repeats it; after the
    /// threshold each further failure doubles the time for which the account is closed.
    func countFailure(
        _ password: String, of account: StoredAccount, _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        let mark = Array(vault.mac(.wrongPassword, account.id, password).prefix(8))
        let known = stride(from: 0, to: account.recentFailures.count, by: 8).map { start in
            Array(account.recentFailures[start..<min(start + 8, account.recentFailures.count)])
        }
        guard !known.contains(mark) else { return }
        let recent = Array((mark + account.recentFailures).prefix(3 * 8))
        let failures = account.failures + 1
        let beyond = failures - Int64(settings.lockThreshold)
        let until = beyond < 0 ? 0 : exchange.seconds + Int64(settings.lockDuration) << min(beyond, 10)
        try connection.run(
            "UPDATE account SET failures = ?, locked_until = ?, recent_failures = ? WHERE id = ?", .integer(failures),
            .integer(until), .blob(recent), .text(account.id))
    }

    func clearFailures(of account: StoredAccount, _ connection: inout Connection) throws {
        try connection.run(
            "UPDATE account SET failures = 0, locked_until = 0, recent_failures = NULL WHERE id = ?", .text(account.id))
    }
}
