// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Tenant

/// A database of an earlier program is carried over, with what is in it.
struct MigrationTests {
    /// A tenant as version 1 left it, with an account that has a session.
    private func earlierDatabase() throws -> Database {
        let path = "/tmp/nativeauth-migration-\(UUID().uuidString).db"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let database = try Database(path: path)
        _ = try database.transaction { connection in
            try Schema.migrations[0].apply(to: &connection)
            try connection.run("PRAGMA user_version = 1")
            try connection.run(
                """
                INSERT INTO account (id, username_key, username, password, attributes, created_at)
                VALUES ('a', 'mira@lofoten.example', 'Mira@lofoten.example', '$argon2id$', '{}', 1)
                """)
            try connection.run(
                """
                INSERT INTO session (id, account, client_id, scopes, counter, signed_in_at, expires_at)
                VALUES ('s', 'a', 'c', 'openid', 1, 1, 2)
                """)
        }
        return database
    }

    @Test("F19: what an earlier program wrote is carried over")
    func whatWasThereStays() throws {
        let database = try earlierDatabase()
        let row = try database.transaction { connection in
            try Schema.prepare(&connection)
            return try connection.rows(
                """
                SELECT username, disabled, change_password, amr FROM account JOIN session ON account = account.id
                """
            ).first
        }
        #expect(row?.text(0) == "Mira@lofoten.example")
        #expect(row?.integer(1) == 0)
        #expect(row?.integer(2) == 0)
        #expect(row?.text(3) == "pwd")
    }

    @Test func theSampleAPIIsThere() throws {
        let database = try earlierDatabase()
        let ids = try database.transaction { connection in
            try Schema.prepare(&connection)
            try Schema.prepare(&connection)
            return try connection.rows("SELECT id FROM resource").compactMap { $0.text(0) }
        }
        #expect(ids == [Resource.sample.id])
    }

    @Test(arguments: [
        "{}", #"{"tenantID":"t","name":"local"}"#, "[]", "null", #"{"tenantID":7,"name":"n","origin":"o"}"#,
    ])
    func settingsWithoutTheirNamesAreDamaged(text: String) {
        #expect(throws: TenantContents.Damaged.self) { try Settings(stored: text) }
    }

    @Test func settingsOfAnEarlierProgramHaveDefaults() throws {
        let text = #"{"tenantID":"t","name":"local","origin":"http://127.0.0.1:8400","codeLength":6,"gone":true}"#
        var expected = Settings(tenantID: "t", name: "local", origin: "http://127.0.0.1:8400")
        expected.codeLength = 6
        #expect(try Settings(stored: text) == expected)
    }
}
