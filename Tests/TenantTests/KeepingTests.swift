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

    @Test func noSecretIsInTheDatabase() throws {
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
    @Test func restartBetweenAllCallsIsNotNoticed() throws {
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
    }

    @Test func usedTriesSurviveARestart() throws {
        let scene = Scene(try TestTenant())
        let sent = try scene.codeSent(mira)
        for number in 0..<5 {
            _ = try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.wrongCode(mira, number))")
            try scene.tenant.restart()
        }
        #expect(
            try scene.proceed(sent.token, "grant_type=oob&oob=\(try scene.code(mira))").suberror == "invalid_oob_value")
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
    @Test func mailWaitsUntilItCanBeDelivered() throws {
        let scene = Scene(try TestTenant())
        let mailbox = scene.tenant.folder.path + "/mail"
        try Data("in the way".utf8).write(to: URL(filePath: mailbox))
        let sent = try scene.codeSent(mira)
        #expect(sent["challenge_type"] == .string("oob"))
        try scene.tenant.restart()
        unlink(mailbox)
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

    @Test func missingKeyIsNotReplaced() throws {
        let tenant = try TestTenant()
        let key = tenant.folder.path + "/sealing.key"
        unlink(key)
        #expect(problem(tenant) == .keyMissing(path: key))
        #expect(access(key, F_OK) != 0)
    }

    @Test(arguments: [0, 1, 31, 33, 4096, 5000])
    func damagedKeyIsRefused(_ length: Int) throws {
        let tenant = try TestTenant()
        let key = tenant.folder.path + "/sealing.key"
        try Data(repeating: 7, count: length).write(to: URL(filePath: key))
        #expect(problem(tenant) != nil)
        if length <= 4096 { #expect(problem(tenant) == .keyDamaged(path: key)) }
    }

    @Test func otherKeyOpensNothing() throws {
        let tenant = try TestTenant()
        try Data(repeating: 7, count: 32).write(to: URL(filePath: tenant.folder.path + "/sealing.key"))
        #expect(problem(tenant) == .damaged(path: tenant.folder.databasePath))
    }

    @Test func newerDatabaseIsRefused() throws {
        let tenant = try TestTenant()
        _ = try tenant.provider.database.transaction { connection in
            try connection.run("PRAGMA user_version = \(Schema.version + 1)")
        }
        #expect(problem(tenant) == .newer(path: tenant.folder.databasePath))
    }

    @Test func garbageIsNoDatabase() throws {
        let tenant = try TestTenant()
        tenant.close()
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: tenant.folder.databasePath))
        let problem = problem(tenant)
        guard case .database(let error, _)? = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(error.reason == .damaged)
    }

    /// A tenant is there as a whole or not at all.
    @Test func missingDatabaseIsMadeAnew() throws {
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
