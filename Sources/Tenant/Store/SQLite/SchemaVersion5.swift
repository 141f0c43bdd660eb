// SPDX-License-Identifier: Apache-2.0

extension Schema {
    /// Sign-in in a browser: the codes that it brings to apps, and those that people type for another device.
    static var fifth: Migration {
        Migration(statements: [
            """
            CREATE TABLE authorization_code (
                code BLOB PRIMARY KEY,             -- SHA-256
                client_id TEXT NOT NULL,
                request TEXT NOT NULL,             -- what the app had asked for
                authentication TEXT NOT NULL,      -- who has proven to be whom
                expires_at INTEGER NOT NULL,
                used INTEGER NOT NULL DEFAULT 0,
                session TEXT                       -- what it led to
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX authorization_code_by_expiry ON authorization_code (expires_at)",
            """
            CREATE TABLE device_grant (
                id TEXT PRIMARY KEY,
                device_code BLOB NOT NULL UNIQUE,  -- SHA-256
                user_code BLOB NOT NULL UNIQUE,    -- a keyed hash
                client_id TEXT NOT NULL,
                request TEXT NOT NULL,
                authentication TEXT,               -- null while nobody has signed in
                state TEXT NOT NULL,
                expires_at INTEGER NOT NULL,
                interval INTEGER NOT NULL,         -- seconds that the device has to wait between two questions
                polled_at INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX device_grant_by_expiry ON device_grant (expires_at)",
        ]) { connection in try connection.addSampleRedirects() }
    }
}

extension Connection {
    /// The sample apps of an older tenant get what those of a fresh one have.
    fileprivate mutating func addSampleRedirects() throws {
        for sample in AppRegistration.samples {
            let rows = try rows("SELECT definition FROM app WHERE client_id = ?", .text(sample.clientID))
            guard let text = rows.first?.text(0), var app = try? AppRegistration(stored: text), app.redirects == nil
            else { continue }
            app.redirects = sample.redirects
            try save(app)
        }
    }
}
