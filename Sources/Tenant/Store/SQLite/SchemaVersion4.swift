// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// What a server needs that runs for long: mail that is tried again, limits that survive a restart, keys that change,
    /// and a trail of what happened.
    static var fourth: Migration {
        Migration(statements: keys + trail + mail + limits + passwords)
    }

    /// Keys that follow each other.
    private static var keys: [String] {
        [
            "ALTER TABLE signing_key ADD COLUMN number INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE signing_key ADD COLUMN published_at INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE signing_key ADD COLUMN activates_at INTEGER NOT NULL DEFAULT 0",
            // The longest life of a token that the key may have signed.
            "ALTER TABLE signing_key ADD COLUMN longest_token INTEGER NOT NULL DEFAULT 0",
            """
            UPDATE signing_key SET published_at = created_at, activates_at = created_at,
            number = (SELECT count(*) FROM signing_key AS earlier WHERE earlier.created_at < signing_key.created_at)
            """,
            // One successor for each key, whoever makes it.
            "CREATE UNIQUE INDEX signing_key_by_number ON signing_key (number)",
        ]
    }

    /// The book of events, and the secrets of APIs that may ask about tokens.
    private static var trail: [String] {
        [
            """
            CREATE TABLE audit (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                at INTEGER NOT NULL,
                event TEXT NOT NULL,
                account TEXT,                      -- an object id, which outlives its account
                client_id TEXT,
                detail TEXT NOT NULL,
                address TEXT,
                correlation_id TEXT
            ) STRICT
            """,
            "CREATE INDEX audit_by_time ON audit (at)",
            """
            CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
            BEGIN SELECT RAISE(ABORT, 'the book of events is only written to'); END
            """,
            """
            CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
            BEGIN SELECT RAISE(ABORT, 'the book of events is only written to'); END
            """,
            """
            CREATE TABLE api_secret (
                resource TEXT PRIMARY KEY REFERENCES resource (id) ON DELETE CASCADE,
                hash BLOB NOT NULL,                -- SHA-256 of 256 random bits
                created_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
        ]
    }

    /// Messages that are tried again, and those that were given up.
    private static var mail: [String] {
        [
            "ALTER TABLE outbox ADD COLUMN channel TEXT NOT NULL DEFAULT 'email'",
            "ALTER TABLE outbox ADD COLUMN posted_at INTEGER NOT NULL DEFAULT 0",
            // When the code in it is good no longer; null for what an older program posted.
            "ALTER TABLE outbox ADD COLUMN expires_at INTEGER",
            "ALTER TABLE outbox ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE outbox ADD COLUMN next_at INTEGER NOT NULL DEFAULT 0",
            // Of the last attempt, and what the server said then.
            "ALTER TABLE outbox ADD COLUMN problem TEXT",
            "ALTER TABLE outbox ADD COLUMN reply TEXT",
            // Null while it waits.
            "ALTER TABLE outbox ADD COLUMN abandoned_at INTEGER",
            "ALTER TABLE outbox ADD COLUMN reason TEXT",
            // A mail server that is away for long must not make requests slow.
            "CREATE INDEX outbox_waiting ON outbox (id) WHERE abandoned_at IS NULL",
            "CREATE INDEX outbox_abandoned ON outbox (abandoned_at) WHERE abandoned_at IS NOT NULL",
        ]
    }

    private static var limits: [String] {
        [
            """
            CREATE TABLE throttle (
                kind TEXT NOT NULL, subject BLOB NOT NULL, -- a keyed hash of a name, a network or a flow
                ends_at INTEGER NOT NULL, count INTEGER NOT NULL,
                PRIMARY KEY (kind, subject)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX throttle_by_end ON throttle (ends_at)",
            "CREATE INDEX code_sent_by_time ON code_sent (sent_at)",
        ]
    }

    /// The passwords that an account had, by the number that each had.
    private static var passwords: [String] {
        [
            """
            CREATE TABLE former_password (
                account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                generation INTEGER NOT NULL, password TEXT NOT NULL,
                PRIMARY KEY (account, generation)
            ) STRICT, WITHOUT ROWID
            """
        ]
    }
}
