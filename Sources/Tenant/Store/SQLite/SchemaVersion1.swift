// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// What sign-up, sign-in and reset need.
    static var first: Migration {
        Migration(statements: definitionsAndAccounts + steps + sessionsAndMail)
    }

    private static var definitionsAndAccounts: [String] {
        [
            "CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
            "CREATE TABLE user_flow (name TEXT PRIMARY KEY, definition TEXT NOT NULL) STRICT, WITHOUT ROWID",
            """
            CREATE TABLE app (
                client_id TEXT PRIMARY KEY, user_flow TEXT REFERENCES user_flow (name), definition TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE account (
                id TEXT PRIMARY KEY,               -- the object id, never used again
                username_key TEXT NOT NULL UNIQUE, -- the address in the form in which addresses are compared
                username TEXT NOT NULL,
                password TEXT,                     -- an Argon2id PHC string; null for an account with codes alone
                attributes TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                failures INTEGER NOT NULL DEFAULT 0,
                locked_until INTEGER NOT NULL DEFAULT 0,
                recent_failures BLOB               -- keyed hashes of the last wrong passwords
            ) STRICT, WITHOUT ROWID
            """,
        ]
    }

    private static var steps: [String] {
        [
            """
            CREATE TABLE flow (
                id TEXT PRIMARY KEY,
                client_id TEXT NOT NULL,
                state TEXT NOT NULL,
                token BLOB UNIQUE,                 -- SHA-256 of the continuation token; null when the flow has ended
                expires_at INTEGER NOT NULL,
                former_token BLOB UNIQUE,          -- the token before, whose answer can be fetched again for a while
                former_request BLOB,
                former_answer BLOB,                -- sealed
                former_until INTEGER
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX flow_by_expiry ON flow (expires_at)",
            """
            CREATE TABLE code (
                flow TEXT PRIMARY KEY REFERENCES flow (id) ON DELETE CASCADE,
                mac BLOB NOT NULL,
                sent_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                last_wrong BLOB                    -- the request of the last wrong try, which counts once however often it comes
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE TABLE code_sent (address TEXT NOT NULL, sent_at INTEGER NOT NULL) STRICT",
            "CREATE INDEX code_sent_by_address ON code_sent (address, sent_at)",
        ]
    }

    private static var sessionsAndMail: [String] {
        [
            """
            CREATE TABLE session (
                id TEXT PRIMARY KEY,
                account TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
                client_id TEXT NOT NULL,
                scopes TEXT NOT NULL,
                counter INTEGER NOT NULL,          -- of the newest refresh token
                signed_in_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                revoked INTEGER NOT NULL DEFAULT 0
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX session_by_account ON session (account)",
            """
            CREATE TABLE signing_key (
                kid TEXT PRIMARY KEY, sealed BLOB NOT NULL, created_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            // A number is never used again: two deliveries of one mail must not take the next one with them.
            "CREATE TABLE outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, sealed BLOB NOT NULL) STRICT",
        ]
    }
}
