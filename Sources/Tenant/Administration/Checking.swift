// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The invariants of a tenant's database: what holds after every request, whatever happened to the machine meanwhile.
///
/// Each rule is a query over the connection and says what it found. Nothing is changed, and nothing is thrown: a query that
/// the database cannot answer is a finding too.
struct Checking {
    let vault: Vault
    private(set) var findings: [Finding] = []

    init(_ vault: Vault) {
        self.vault = vault
    }

    /// Everything that is wrong with the database.
    static func findings(_ connection: inout Connection, _ vault: Vault) -> [Finding] {
        var checking = Checking(vault)
        checking.structure(&connection)
        // In tables of another shape, what follows would find the same thing many times over.
        guard checking.findings.isEmpty else { return checking.findings }
        checking.settings(&connection)
        checking.accounts(&connection)
        checking.flows(&connection)
        checking.sessions(&connection)
        checking.outbox(&connection)
        return checking.findings
    }

    private mutating func find(_ kind: Finding.Kind, _ subject: String) {
        findings.append(Finding(kind, subject))
    }

    /// The rows of a query; none, and a finding, where it cannot be run.
    private mutating func rows(_ connection: inout Connection, _ sql: String) -> [Row] {
        do throws(StoreError) {
            return try connection.rows(sql)
        } catch {
            let kind: Finding.Kind = error.reason == .damaged ? .databaseDamaged : .databaseUnreadable
            if !findings.contains(where: { $0.kind == kind }) { find(kind, error.message) }
            return []
        }
    }

    private func isOpened(_ sealed: [UInt8]?) -> Bool {
        sealed.flatMap(vault.open) != nil
    }
}

// MARK: - The database as SQLite sees it

extension Checking {
    private mutating func structure(_ connection: inout Connection) {
        guard !connection.isShared else { return version(&connection) }
        for row in rows(&connection, "PRAGMA integrity_check(5)") {
            if let text = row.text(0), text != "ok" { find(.databaseDamaged, text) }
        }
        guard findings.isEmpty else { return }
        let version = rows(&connection, "PRAGMA user_version").first?.integer(0) ?? 0
        guard version <= Schema.version else { return find(.databaseNewer, "version \(version)") }
        for row in rows(&connection, "PRAGMA foreign_key_check") {
            find(.brokenReference, "\(row.text(0) ?? "?") refers to \(row.text(2) ?? "?")")
        }
        shape(&connection, version)
    }

    /// A database server sees to its files itself.
    private mutating func version(_ connection: inout Connection) {
        let version = rows(&connection, "SELECT version FROM schema_version").first?.integer(0) ?? 0
        if version > Schema.version { find(.databaseNewer, "version \(version)") }
    }

    /// Tables and indices are those that the program itself makes.
    private mutating func shape(_ connection: inout Connection, _ version: Int64) {
        let query = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
        let found = rows(&connection, query).map { "\($0.text(0) ?? "") \($0.text(1) ?? "")" }
        guard let expected = try? Schema.shape(version: version, query) else { return }
        for difference in Set(found).symmetricDifference(expected).sorted() {
            find(.schemaDiffers, String(difference.prefix { $0 != " " }))
        }
    }
}

extension Schema {
    /// What a query says about an empty database of a version.
    fileprivate static func shape(version: Int64, _ query: String) throws -> [String] {
        try Database(path: ":memory:").transaction { connection in
            for migration in migrations[..<Int(version)] { try migration.apply(to: &connection) }
            return try connection.rows(query).map { "\($0.text(0) ?? "") \($0.text(1) ?? "")" }
        }
    }
}

// MARK: - What the owner has set

extension Checking {
    private mutating func settings(_ connection: inout Connection) {
        let text = rows(&connection, "SELECT value FROM setting WHERE name = 'settings'").first?.text(0)
        if text.flatMap({ try? Settings(stored: $0) }) == nil { find(.settingsUnreadable, "setting") }
        definitions(&connection, "SELECT 'user flow', name, definition FROM user_flow", UserFlow.self)
        definitions(&connection, "SELECT 'app', client_id, definition FROM app", AppRegistration.self)
        definitions(&connection, "SELECT 'API', id, definition FROM resource", Resource.self)
        definitions(&connection, "SELECT 'extension', id, definition FROM extension", AuthenticationExtension.self)
        let keys = rows(&connection, "SELECT kid, sealed FROM signing_key")
        if keys.isEmpty { find(.noSigningKey, "signing_key") }
        for row in keys where !isOpened(row.blob(1)) { find(.sealedUnreadable, "signing_key \(row.text(0) ?? "")") }
    }

    /// - Parameter query: Its columns are what something is called, its id, and its definition.
    private mutating func definitions<T: Definition>(
        _ connection: inout Connection, _ query: String, _ type: T.Type
    ) {
        for row in rows(&connection, query) {
            let definition = row.text(2).flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
            guard definition?.key != row.text(1) else { continue }
            find(.definitionUnreadable, "\(row.text(0) ?? "") \(row.text(1) ?? "")")
        }
    }
}

// MARK: - People

extension Checking {
    private mutating func accounts(_ connection: inout Connection) {
        let query = "SELECT id, username, username_key, password, attributes, alias FROM account"
        for row in rows(&connection, query) {
            let id = "account \(row.text(0) ?? "")"
            let isNamed = row.text(1).flatMap(EmailAddress.init)?.key == row.text(2)
            if !isNamed || row.text(4).flatMap({ JSONValue(json: $0.utf8) }) == nil { find(.accountUnreadable, id) }
            // Null is an account that signs in with codes, or by somebody else's word.
            if let password = row.text(3), !password.hasPrefix("$argon2id$") { find(.accountWithoutCredential, id) }
        }
        for row in rows(&connection, "SELECT min(id) FROM account GROUP BY lower(username_key) HAVING count(*) > 1") {
            find(.nameTakenTwice, "account \(row.text(0) ?? "")")
        }
        for row in rows(&connection, "SELECT id, contact FROM method") where row.text(1).flatMap(Contact.init) == nil {
            find(.methodUnreadable, "method \(row.text(0) ?? "")")
        }
    }

    private mutating func sessions(_ connection: inout Connection) {
        let query = "SELECT id, counter, amr FROM session WHERE revoked NOT IN (0, 1) OR counter < 1 OR amr = ''"
        for row in rows(&connection, query) { find(.sessionUnreadable, "session \(row.text(0) ?? "")") }
    }

    /// A message leaves the outbox when it has left the tenant; what cannot be read would stay for ever.
    private mutating func outbox(_ connection: inout Connection) {
        for row in rows(&connection, "SELECT id, sealed FROM outbox") {
            let message = row.blob(1).flatMap(vault.open).flatMap {
                try? JSONDecoder().decode(CodeMessage.self, from: Data($0))
            }
            if message == nil { find(.messageUnreadable, "outbox \(row.integer(0) ?? 0)") }
        }
    }
}

// MARK: - What people have begun

extension Checking {
    private mutating func flows(_ connection: inout Connection) {
        for row in rows(&connection, "SELECT id, state FROM flow WHERE token IS NOT NULL") {
            let state = row.text(1).flatMap { try? JSONDecoder().decode(FlowState.self, from: Data($0.utf8)) }
            if state == nil { find(.flowUnreadable, "flow \(row.text(0) ?? "")") }
        }
        // One generation of a flow is alive: a token that has led on leads to nothing else.
        let twice = "SELECT a.id FROM flow a JOIN flow b ON a.token = b.former_token"
        for row in rows(&connection, twice) { find(.flowAliveTwice, "flow \(row.text(0) ?? "")") }
        for row in rows(&connection, "SELECT id, former_answer FROM flow WHERE former_answer IS NOT NULL")
        where !isOpened(row.blob(1)) {
            find(.sealedUnreadable, "flow \(row.text(0) ?? "")")
        }
        let tries = "SELECT flow FROM code WHERE attempts < 0 OR attempts > 100 OR expires_at < sent_at"
        for row in rows(&connection, tries) { find(.codeTriesWrong, "code of flow \(row.text(0) ?? "")") }
    }
}
