// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing
import Wire

@testable import Tenant

/// Files that are not what the tenant wrote.
@Suite("Files that are damaged", .inTurns)
struct DamageTests {
    @Test("F7: one bit of the database is another: it is noticed, or nobody gets in who should not")
    func bits() async throws {
        let good = try #require(try Prepared.contents()["tenant.db"])
        let known = try identity(try Prepared.tenant())
        var noticed = 0
        for round in 0..<(isWhole ? 2000 : 60) {
            // The first is in the words by which SQLite knows its files, so one at least is sure to be noticed.
            let offset = Int.random(in: 0..<(round == 0 ? 16 : good.count))
            if try !serves(good, flipped: offset, known) { noticed += 1 }
        }
        #expect(noticed > 0)
    }

    @Test("F7: one bit of a name is another: of the app's, the account's, the address")
    func names() async throws {
        let good = try #require(try Prepared.contents()["tenant.db"])
        let known = try identity(try Prepared.tenant())
        let names = try #require(known).compactMap(\.string) + [Scene.passwordApp]
        let places = names.flatMap { name in good.ranges(of: Data(name.utf8)).flatMap { Array($0) } }
        #expect(places.count > 200)
        for offset in isWhole ? places : Array(places.shuffled().prefix(40)) {
            _ = try serves(good, flipped: offset, known)
        }
    }

    /// Whether a tenant serves whose database has another bit, and gives everybody who they are if it does.
    private func serves(_ good: Data, flipped offset: Int, _ known: [JSONValue]?) throws -> Bool {
        let tenant = try Prepared.tenant()
        tenant.close()
        var bytes = good
        bytes[offset] ^= 1 << UInt8.random(in: 0..<8)
        try bytes.write(to: URL(filePath: tenant.folder.databasePath))
        guard (try? tenant.restart()) != nil, tenant.provider.isSound else { return false }
        let scene = Scene(tenant)
        let wrong = try scene.submit(password: "Wrong-Salmon-48", try scene.challenged(People.ada).token)
        #expect(wrong.status != 200, "the byte at \(offset)")
        if let found = try identity(tenant) { #expect(found == known, "the byte at \(offset)") }
        return true
    }

    /// Who somebody is who signs in with the right password; nil where that is refused. Large or small letters make no
    /// other address.
    private func identity(_ tenant: TestTenant) throws -> [JSONValue]? {
        let scene = Scene(tenant)
        let tokens = try scene.signIn(People.ada)
        guard tokens.status == 200 else { return nil }
        let claims = try #require(JWT(tokens["id_token"]?.string ?? "")).claims
        let address = claims["email"]?.string?.lowercased() ?? ""
        return [claims["oid"] ?? .null, claims["sub"] ?? .null, claims["aud"] ?? .null, .string(address)]
    }

    @Test("F7: a server looks at its database before it answers, and says what to do: 65")
    func refusal() async throws {
        let home = try Home()
        try FileManager.default.createDirectory(
            atPath: home.tenantFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Prepared.put(into: home.tenantFolder)
        let path = home.tenantFolder + "/tenant.db"
        let pages = try #require(try Prepared.contents()["tenant.db"]).count / 4096
        for page in [pages / 3, pages / 2, pages - 1] {
            try Prepared.put(into: home.tenantFolder)
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.seek(toOffset: UInt64(page * 4096))
            try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
            try file.close()
            let outcome = try await home.nativeauth("tenant", "serve", "--listen", "127.0.0.1:0")
            #expect(outcome.ending == .exit(65), "page \(page): \(outcome)")
            #expect(outcome.errors.contains("is damaged") && outcome.errors.contains("Restore"), "\(outcome)")
            let check = try await home.nativeauth("tenant", "check", "--json")
            #expect(check.ending == .exit(65) && check.output.contains("database_damaged"), "\(check)")
        }
    }

    @Test(
        "F7: a log that was cut, or whose end is garbage, costs nothing that was whole", arguments: [0, 32, 5000, 9000])
    func log(length: Int) throws {
        let tenant = try Prepared.tenant()
        #expect(try Scene(tenant).signIn(People.ada).status == 200)
        let copy = try Prepared.tenant()
        copy.close()
        for name in ["tenant.db", "tenant.db-wal"] {
            let data = try Data(contentsOf: URL(filePath: tenant.folder.path + "/" + name))
            let kept = name == "tenant.db" ? data : data.prefix(length) + Data(repeating: 0x5A, count: 100)
            try kept.write(to: URL(filePath: copy.folder.path + "/" + name))
            chmod(copy.folder.path + "/" + name, 0o600)
        }
        unlink(copy.folder.path + "/tenant.db-shm")
        try copy.restart()
        #expect(copy.provider.isSound)
        #expect(try Scene(copy).signIn(People.ada).status == 200)
        #expect(try copy.findings() == [])
    }
}
