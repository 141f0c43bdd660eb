// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant

/// `nativeauth tenant check`: each invariant, broken on purpose.
struct CheckTests {
    struct Breach: Sendable, CustomTestStringConvertible {
        let kind: Finding.Kind
        let sql: String
        var testDescription: String { kind.rawValue }

        init(_ kind: Finding.Kind, _ sql: String) {
            self.kind = kind
            self.sql = sql
        }
    }

    static let breaches = [
        Breach(.accountUnreadable, "UPDATE account SET username = 'eve@fjord.example' WHERE username LIKE 'ada@%'"),
        Breach(.accountUnreadable, "UPDATE account SET attributes = '{' WHERE username LIKE 'ada@%'"),
        Breach(.accountWithoutCredential, "UPDATE account SET password = '' WHERE username LIKE 'ada@%'"),
        Breach(
            .nameTakenTwice, "UPDATE account SET username_key = 'ADA@fjord.example' WHERE username LIKE 'bo@%'"),
        Breach(.methodUnreadable, "UPDATE method SET contact = 'nowhere'"),
        Breach(.flowUnreadable, "UPDATE flow SET token = x'00', state = '{}' WHERE ONE_FLOW"),
        Breach(.flowAliveTwice, "UPDATE flow SET token = former_token WHERE ONE_FLOW"),
        Breach(.sealedUnreadable, "UPDATE flow SET former_answer = x'00' WHERE ONE_FLOW"),
        Breach(.sealedUnreadable, "UPDATE signing_key SET sealed = x'00'"),
        Breach(.noSigningKey, "DELETE FROM signing_key"),
        Breach(.settingsUnreadable, "DELETE FROM setting WHERE name = 'settings'"),
        Breach(.definitionUnreadable, "UPDATE app SET definition = '{}'"),
        Breach(.definitionUnreadable, "UPDATE user_flow SET definition = 'x'"),
        Breach(.codeTriesWrong, "UPDATE code SET attempts = -1"),
        Breach(.sessionUnreadable, "UPDATE session SET counter = 0"),
        Breach(.messageUnreadable, "INSERT INTO outbox (sealed) VALUES (x'00')"),
        Breach(.schemaDiffers, "DROP INDEX session_by_account"),
        Breach(.schemaDiffers, "CREATE TABLE more (a)"),
        Breach(.databaseNewer, "PRAGMA user_version = 1000"),
        Breach(.brokenReference, "PRAGMA foreign_keys = OFF; DELETE FROM account WHERE username LIKE 'ada@%'"),
    ]

    /// A tenant with something of everything in it.
    private func tenant() throws -> TestTenant {
        let tenant = try Prepared.tenant()
        let scene = Scene(tenant)
        #expect(try scene.signIn(People.ada).status == 200)
        let opened = try scene.initiate(People.cai, app: Scene.codeApp)
        #expect(try scene.signInChallenge(opened.token, app: Scene.codeApp).status == 200)
        return tenant
    }

    @Test("each invariant is found broken where it is", arguments: breaches)
    func found(_ breach: Breach) throws {
        let tenant = try tenant()
        #expect(try tenant.findings() == [])
        tenant.close()
        let database = try SQLiteStore(tenant.folder.databasePath, .changing)
        let one = "id = (SELECT id FROM flow WHERE former_token IS NOT NULL AND former_answer IS NOT NULL LIMIT 1)"
        try database.withConnection { connection in
            for statement in breach.sql.replacing("ONE_FLOW", with: one).split(separator: ";") {
                try connection.run(String(statement))
            }
        }
        let findings = try tenant.folder.check()
        #expect(findings.contains { $0.kind == breach.kind }, "\(findings)")
    }

    @Test("files that others may read, a key that is away, or is another one")
    func files() throws {
        let tenant = try tenant()
        tenant.close()
        let folder = tenant.folder
        for path in [folder.keyPath, folder.databasePath, folder.spool.path, folder.path] {
            chmod(path, path == folder.path || path == folder.spool.path ? 0o755 : 0o644)
            #expect(try folder.check() == [Finding(.fileOpenToOthers, path)])
            chmod(path, path == folder.path || path == folder.spool.path ? 0o700 : 0o600)
            // SQLite gives them the mode of the database.
            for end in ["-wal", "-shm"] { unlink(folder.databasePath + end) }
        }
        let key = try Data(contentsOf: URL(filePath: folder.keyPath))
        try Data(repeating: 7, count: 32).write(to: URL(filePath: folder.keyPath))
        #expect(try folder.check().contains { $0.kind == .sealedUnreadable })
        try Data(repeating: 7, count: 31).write(to: URL(filePath: folder.keyPath))
        #expect(try folder.check().contains { $0.kind == .keyDamaged })
        unlink(folder.keyPath)
        #expect(try folder.check() == [Finding(.keyMissing, folder.keyPath)])
        try key.write(to: URL(filePath: folder.keyPath))
        chmod(folder.keyPath, 0o600)
        #expect(try folder.check() == [])
        unlink(folder.databasePath)
        for end in ["-wal", "-shm"] { unlink(folder.databasePath + end) }
        #expect(try folder.check().map(\.kind) == [.databaseUnreadable])
        #expect(access(folder.databasePath, F_OK) != 0, "nothing is made")
    }

    @Test("the command: sound or not, by words and as JSON, while it is served too; 0 and 65", .inTurns)
    func command() async throws {
        let home = try Home()
        try await home.signUp("ada@example.com")
        #expect(try await home.succeed("tenant", "check") == "The tenant is sound.\n")
        let report = try object(try await home.succeed("tenant", "check", "--json"))
        #expect(report["schema"] as? Int == 1 && report["sound"] as? Bool == true)
        #expect((report["findings"] as? [Any])?.isEmpty == true)
        let key = home.tenantFolder + "/sealing.key"
        let server = try await home.serve()
        #expect(try await home.succeed("tenant", "check") == "The tenant is sound.\n")
        chmod(key, 0o644)
        for _ in 0..<2 {
            let outcome = try await home.nativeauth("tenant", "check")
            #expect(outcome.ending == .exit(65), "\(outcome)")
            #expect(outcome.output.contains("have access to \(key)") && outcome.output.contains("chmod"), "\(outcome)")
            if try await home.succeed("tenant", "config", "get", "authority").contains(":8400") { break }
            try await server.stop()
        }
        let json = try await home.nativeauth("tenant", "check", "--json")
        #expect(json.ending == .exit(65), "\(json)")
        let finding = try #require((try object(json.output)["findings"] as? [[String: Any]])?.first)
        #expect(finding.string("name") == "file_open_to_others" && finding.string("subject") == key)
        #expect(finding.string("text") != nil && finding.string("hint") != nil)
    }
}
