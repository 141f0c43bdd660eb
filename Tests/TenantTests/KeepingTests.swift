// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// What a tenant keeps on the disk: nothing that is secret as it is, and everything that it has acknowledged.
struct KeepingTests {
    private let mira = "mira@lofoten.example"

    private func files(_ tenant: TestTenant) throws -> [(name: String, bytes: Data)] {
        try FileManager.default.contentsOfDirectory(atPath: tenant.folder.path).filter { $0.hasPrefix("tenant.") }.map {
            ($0, try Data(contentsOf: URL(filePath: tenant.folder.path + "/" + $0)))
        }
    }

    @Test("Rules 11 and 17: no code, token or password is in the database", .inFile)
    func noSecretIsInTheDatabase() throws {
        let scene = Scene(try TestTenant())
        var secrets: [String] = []
        let opened = try scene.start(mira, "&\(Scene.country)")
        let sent = try scene.signUpChallenge(opened.token)
        let code = try scene.code(mira)
        _ = try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(mira))")
        let verified = try scene.proceed(sent.token, "grant_type=oob&oob=\(code)")
        let asked = try scene.signUpChallenge(verified.token)
        let done = try scene.proceed(asked.token, "grant_type=password&password=\(Scene.password)")
        let tokens = try scene.token("grant_type=continuation_token&continuation_token=\(done.token)")
        let renewed = try scene.refresh(tokens.refreshToken)
        let again = try scene.challenged(mira)
        _ = try scene.submit(password: "Wrong-Salmon-48", again.token)
        secrets += [opened, sent, verified, asked, done, again].map(\.token)
        secrets += [tokens, renewed].flatMap { [$0.accessToken, $0.refreshToken, $0["id_token"]?.string ?? ""] }
        secrets += [code, Scene.password, "Wrong-Salmon-48"]
        #expect(secrets.allSatisfy { $0.count >= 8 })
        let all = try files(scene.tenant)
        #expect(all.map(\.name).contains("tenant.db"))
        #expect(all.map(\.name).contains("tenant.db-wal"))
        #expect(all.contains { $0.bytes.firstRange(of: Data(mira.utf8)) != nil })
        for (name, bytes) in all {
            for secret in secrets { #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(name)") }
        }
    }

    @Test func filesAreForTheOwnerAlone() throws {
        let scene = Scene(try TestTenant())
        _ = try scene.codeSent(mira)
        func mode(_ name: String) -> mode_t {
            var status = stat()
            return stat(scene.tenant.folder.path + "/" + name, &status) == 0 ? status.st_mode & 0o777 : 0
        }
        #expect(mode("sealing.key") == 0o600)
        #expect(mode("mail") == 0o700)
        #expect(mode("") == 0o700)
        let mail = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scene.tenant.folder.path + "/mail").first)
        #expect(mode("mail/" + mail) == 0o600)
        #expect(!mail.contains("mira"))
    }

    /// A whole sign-up, with a new process before every call.
    @Test("F10: a sign-up and a sign-in with a new process before every call")
    func restartBetweenAllCallsIsNotNoticed() throws {
        let scene = Scene(try TestTenant())
        let tenant = scene.tenant
        let opened = try scene.start(mira)
        try tenant.restart()
        let sent = try scene.signUpChallenge(opened.token)
        try tenant.restart()
        #expect(try scene.signUpChallenge(opened.token).token == sent.token)
        let verified = try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))")
        #expect(verified.error == "credential_required")
        try tenant.restart()
        let asked = try scene.signUpChallenge(verified.token)
        #expect(asked["challenge_type"] == .string("password"))
        try tenant.restart()
        let page = try scene.proceed(asked.token, "grant_type=password&password=\(Scene.password)")
        #expect(page.error == "attributes_required")
        try tenant.restart()
        let done = try scene.proceed(page.token, "grant_type=attributes&\(Scene.country)")
        #expect(done.status == 200)
        try tenant.restart()
        let tokens = try scene.token("grant_type=continuation_token&continuation_token=\(done.token)")
        #expect(tokens.status == 200)
        try tenant.restart()
        #expect(try scene.refresh(tokens.refreshToken).status == 200)
        #expect(try scene.caller.get("/oidc/userinfo", ["authorization": "Bearer \(tokens.accessToken)"]).status == 200)
        let signIn = try scene.initiate(mira)
        try tenant.restart()
        let challenged = try scene.signInChallenge(signIn.token)
        try tenant.restart()
        #expect(try scene.submit(password: Scene.password, challenged.token).status == 200)
        #expect(try tenant.mails(to: mira) == 1)
        #expect(try tenant.findings() == [])
    }

    @Test("Rule 5: F10: used tries survive a new start")
    func usedTriesSurviveARestart() throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        for number in 0..<5 {
            _ = try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(mira, number))")
            try scene.tenant.restart()
        }
        #expect(
            try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))").suberror == "invalid_oob_value")
        #expect(try scene.tenant.findings() == [])
    }

    // MARK: - Mail

    @Test func mailIsReadable() throws {
        let scene = Scene(try TestTenant())
        _ = try scene.codeSent(mira)
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: scene.tenant.folder.path + "/mail").first)
        let text = String(
            decoding: try Data(contentsOf: URL(filePath: scene.tenant.folder.path + "/mail/" + name)), as: UTF8.self)
        let code = try scene.code(mira)
        #expect(text.hasPrefix("From: Local tenant <no-reply@tenant.invalid>\r\nTo: mira@lofoten.example\r\n"))
        #expect(text.contains("\r\nSubject: Your sign-up code\r\n"))
        #expect(text.contains("\r\nDate: Thu, 28 May 2026 20:26:40 +0000\r\n"))
        #expect(text.contains("\r\n\r\n\(code)\r\n\r\n"))
        #expect(text.contains("good for 10 minutes"))
        #expect(!text.replacing("\r\n", with: "").contains { $0 == "\n" || $0 == "\r" })
        let message = try #require(try scene.tenant.folder.spool.messages(to: "MIRA@lofoten.example").first)
        #expect(message.code == code)
        #expect(message.subject == "Your sign-up code")
        #expect(message.date == "Thu, 28 May 2026 20:26:40 +0000")
        #expect(try scene.tenant.folder.spool.messages(to: "other@lofoten.example").isEmpty)
    }

    @Test("Rule 116: spooled mail is its owner's alone, and its name tells nothing")
    func spooledMailIsPrivate() throws {
        let scene = Scene(try TestTenant())
        _ = try scene.codeSent(mira)
        let mailbox = scene.tenant.folder.path + "/mail"
        let names = try FileManager.default.contentsOfDirectory(atPath: mailbox)
        let name = try #require(names.first)
        #expect(names.count == 1 && !name.contains("mira") && !name.contains("lofoten"))
        #expect(name.utf8.count == "001780000000000-".utf8.count + 36 + ".eml".utf8.count)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(mailbox) == 0o700)
        #expect(try mode(mailbox + "/" + name) == 0o600)
        #expect(try scene.start("../../x").error == "invalid_request")
    }

    @Test func newestMailComesFirst() throws {
        let scene = Scene(try TestTenant())
        var codes: [String] = []
        var answer = try scene.start(mira)
        for _ in 0..<5 {
            scene.tenant.clock.advance(by: 1)
            answer = try scene.signUpChallenge(answer.token)
            codes.insert(try scene.code(mira), at: 0)
        }
        #expect(try scene.tenant.folder.spool.messages().map(\.code) == codes)
        #expect(try scene.tenant.folder.spool.messages(limit: 2).map(\.code) == Array(codes.prefix(2)))
    }

    /// The mailbox is away; the answer does not wait for it, and the mail is not lost, not even in a restart.
    @Test(.inFile) func mailWaitsUntilItCanBeDelivered() throws {
        let scene = Scene(try TestTenant())
        let mailbox = scene.tenant.folder.path + "/mail"
        try Data("in the way".utf8).write(to: URL(filePath: mailbox))
        let sent = try scene.codeSent(mira)
        #expect(sent["challenge_type"] == .string("oob"))
        try scene.tenant.restart()
        unlink(mailbox)
        scene.tenant.clock.advance(by: 1)
        #expect(try scene.tenant.mails(to: mira) == 0)
        _ = try scene.codeSent("other@lofoten.example")
        #expect(try scene.tenant.mails(to: mira) == 1)
        #expect(
            try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))").error == "credential_required")
        scene.tenant.provider.deliverWaiting()
        #expect(try scene.tenant.mails(to: mira) == 1)
    }
}

// MARK: - Opening

struct OpeningTests {
    private func problem(_ tenant: TestTenant) -> TenantFolder.Problem? {
        do {
            try tenant.restart()
            return nil
        } catch {
            return error as? TenantFolder.Problem
        }
    }

    @Test(
        "Rule 119: a key or a database that others can get at is not used", .inFile,
        arguments: ["sealing.key", "tenant.db", "tenant.db-wal", ""], [0o040, 0o020, 0o004, 0o002])
    func openFilesAreRefused(name: String, mode: mode_t) throws {
        let tenant = try TestTenant()
        let place = tenant.folder.path + (name.isEmpty ? "" : "/" + name)
        tenant.close()
        if name.hasSuffix("-wal") { try Data().write(to: URL(filePath: place)) }
        let usual: mode_t = name.isEmpty ? 0o700 : 0o600
        try #require(chmod(place, usual | mode) == 0)
        // That others see names in the folder tells them nothing.
        let isHarmless = name.isEmpty && mode & 0o022 == 0
        if isHarmless { try tenant.restart() } else { #expect(problem(tenant) == .openToOthers(path: place)) }
        try #require(chmod(place, usual) == 0)
        try tenant.restart()
        #expect(try Scene(tenant).codeSent("mira@lofoten.example").status == 200)
    }

    @Test("Rule 119: the database is its owner's alone, whatever mask this process has")
    func databaseIsForTheOwnerAlone() throws {
        let place = FileManager.default.temporaryDirectory.path
        let folder = TenantFolder(path: "\(place)/nativeauth-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: folder.path) }
        for _ in 0..<2 { _ = try folder.open(name: "local", origin: "http://127.0.0.1:8400", cores: 1) }
        var status = stat()
        #expect(stat(folder.databasePath, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("F18: a key that is lost is not replaced by another one")
    func missingKeyIsNotReplaced() throws {
        let tenant = try TestTenant()
        let key = tenant.folder.path + "/sealing.key"
        let former = try Data(contentsOf: URL(filePath: key))
        unlink(key)
        #expect(problem(tenant) == .keyMissing(path: key))
        #expect(access(key, F_OK) != 0)
        try expectSound(tenant, withKey: former)
    }

    /// Nothing was lost: with the key from a backup the tenant is what it was.
    private func expectSound(_ tenant: TestTenant, withKey bytes: Data) throws {
        let key = tenant.folder.path + "/sealing.key"
        try bytes.write(to: URL(filePath: key))
        #expect(chmod(key, 0o600) == 0)
        #expect(try tenant.findings() == [])
    }

    @Test("F18: a key that is damaged is refused", arguments: [0, 1, 31, 33, 4096, 5000])
    func damagedKeyIsRefused(_ length: Int) throws {
        let tenant = try TestTenant()
        let key = tenant.folder.path + "/sealing.key"
        let former = try Data(contentsOf: URL(filePath: key))
        try Data(repeating: 7, count: length).write(to: URL(filePath: key))
        #expect(problem(tenant) != nil)
        if length <= 4096 { #expect(problem(tenant) == .keyDamaged(path: key)) }
        try expectSound(tenant, withKey: former)
    }

    @Test(.inFile) func otherKeyOpensNothing() throws {
        let tenant = try TestTenant()
        try Data(repeating: 7, count: 32).write(to: URL(filePath: tenant.folder.path + "/sealing.key"))
        #expect(problem(tenant) == .damaged(path: tenant.folder.databasePath))
    }

    @Test("F19: a database of a newer program is refused", .inFile)
    func newerDatabaseIsRefused() throws {
        let tenant = try TestTenant()
        _ = try tenant.provider.database.transaction { connection in
            try connection.run("PRAGMA user_version = \(Schema.version + 1)")
        }
        #expect(problem(tenant) == .newer(path: tenant.folder.databasePath))
        tenant.close()
        // As the newer program would find it.
        let database = try Database(path: tenant.folder.databasePath)
        _ = try database.transaction { connection in try connection.run("PRAGMA user_version = \(Schema.version)") }
        #expect(try tenant.findings() == [])
    }

    @Test("F7: what is no database is not taken for one", .inFile)
    func garbageIsNoDatabase() throws {
        let tenant = try TestTenant()
        tenant.close()
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: tenant.folder.databasePath))
        #expect(problem(tenant) == .damaged(path: tenant.folder.databasePath))
    }

    /// A tenant is there as a whole or not at all.
    @Test(.inFile) func missingDatabaseIsMadeAnew() throws {
        let tenant = try TestTenant()
        tenant.close()
        unlink(tenant.folder.databasePath)
        try tenant.restart()
        #expect(try tenant.provider.apps().count == 2)
        #expect(try tenant.provider.userFlows().map(\.name) == ["email-code", "email-password"])
    }

    @Test func settingsAndKeySurviveARestart() throws {
        let tenant = try TestTenant()
        let before = tenant.provider.currentSettings
        let kid = tenant.provider.signer.kid
        try tenant.restart()
        #expect(tenant.provider.currentSettings == before)
        #expect(tenant.provider.signer.kid == kid)
    }
}
