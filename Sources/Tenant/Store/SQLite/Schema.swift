// SPDX-License-Identifier: Apache-2.0

/// The tables of a tenant. Times are in whole seconds since 1970.
enum Schema {
    static var version: Int64 { Int64(migrations.count) }

    /// Brings a database to the current version; refuses one of a later program. Part of the caller's transaction, so a
    /// database is of one version or of the other.
    static func prepare(_ database: inout Connection) throws {
        // Whoever connects to one that is shared has seen to it, in a transaction that keeps others away.
        guard !database.isShared else { return }
        let version = try database.rows("PRAGMA user_version").first?.integer(0) ?? 0
        guard version <= Self.version else { throw NewerSchema(version: version) }
        guard version < Self.version else { return }
        for migration in migrations[Int(version)...] { try migration.apply(to: &database) }
        try database.run("PRAGMA user_version = \(Self.version)")
    }

    /// Whether a database has the tables of this version.
    static func isCurrent(_ database: inout Connection) throws(StoreError) -> Bool {
        let query = database.isShared ? "SELECT version FROM schema_version" : "PRAGMA user_version"
        return try database.rows(query).first?.integer(0) == version
    }

    struct NewerSchema: Error {
        let version: Int64
    }

    /// The way from one version to the next. What has been released is never changed.
    struct Migration {
        let statements: [String]
        /// What has to be in the new tables from the beginning.
        var contents: (inout Connection) throws -> Void = { _ in }

        func apply(to database: inout Connection) throws {
            for statement in statements { try database.run(statement) }
            try contents(&database)
        }
    }

    static var migrations: [Migration] { [first, second, third, fourth, fifth] }
}

// MARK: - Version 2

extension Schema {
    /// Second factors, accounts that may not sign in as they are, APIs, and extensions.
    private static var second: Migration {
        Migration(statements: [
            "ALTER TABLE account ADD COLUMN alias TEXT",
            "ALTER TABLE account ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE account ADD COLUMN change_password INTEGER NOT NULL DEFAULT 0",
            // Who else proves who the person is; null for the tenant itself.
            "ALTER TABLE account ADD COLUMN identity_provider TEXT",
            // Counts the passwords that the account has had.
            "ALTER TABLE account ADD COLUMN generation INTEGER NOT NULL DEFAULT 0",
            "CREATE UNIQUE INDEX account_by_alias ON account (lower(alias)) WHERE alias IS NOT NULL",
            """
            CREATE TABLE method (
                id TEXT PRIMARY KEY,
                account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                contact TEXT NOT NULL,             -- a mail address or a telephone number
                registered_at INTEGER NOT NULL,
                UNIQUE (account, contact)
            ) STRICT, WITHOUT ROWID
            """,
            // Whose code it was; empty for an account that is being made.
            "ALTER TABLE code_sent ADD COLUMN account TEXT NOT NULL DEFAULT ''",
            "CREATE INDEX code_sent_by_account ON code_sent (account, sent_at)",
            "ALTER TABLE session ADD COLUMN amr TEXT NOT NULL DEFAULT 'pwd'",
            "UPDATE session SET amr = 'otp' WHERE account IN (SELECT id FROM account WHERE password IS NULL)",
            "ALTER TABLE flow ADD COLUMN opened_at INTEGER NOT NULL DEFAULT 0",
            "UPDATE flow SET opened_at = expires_at",
            "ALTER TABLE outbox ADD COLUMN request TEXT NOT NULL DEFAULT ''",
            "ALTER TABLE outbox ADD COLUMN claimed_until INTEGER NOT NULL DEFAULT 0",
            "CREATE TABLE resource (id TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT, WITHOUT ROWID",
            "CREATE TABLE extension (id TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT, WITHOUT ROWID",
            """
            CREATE TABLE extension_failure (
                at INTEGER NOT NULL, extension TEXT NOT NULL, code INTEGER NOT NULL, text TEXT NOT NULL
            ) STRICT
            """,
        ]) { connection in
            for resource in Resource.samples { try connection.save(resource) }
        }
    }
}

// MARK: - Version 3

extension Schema {
    /// The answer to the last refresh, where refresh tokens work once.
    private static var third: Migration {
        Migration(statements: [
            "ALTER TABLE session ADD COLUMN former_request BLOB",
            "ALTER TABLE session ADD COLUMN former_answer BLOB",  // sealed
            "ALTER TABLE session ADD COLUMN former_until INTEGER",
        ])
    }
}
