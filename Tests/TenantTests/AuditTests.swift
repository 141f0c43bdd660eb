// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// The book of events.
struct AuditTests {
    private let mira = "mira@lofoten.example"
    private let scene: Scene

    init() throws { scene = Scene(try TestTenant()) }

    private func kinds(_ scene: Scene? = nil) throws -> [AuditEvent.Kind] {
        try (scene ?? self.scene).tenant.provider.auditTrail().map(\.event.kind)
    }

    @Test("Rule 126: a sign-up, a sign-in, one that failed, a refresh that was a copy")
    func signIns() throws {
        let tokens = try scene.signedIn(mira)
        #expect(try kinds() == [.signUp, .signIn])
        let first = try scene.tenant.provider.auditTrail()
        #expect(first[0].event.account == first[1].event.account && first[0].event.account != nil)
        #expect(first[1].event.clientID == Scene.passwordApp)
        #expect(first[1].event.detail == "pwd")
        #expect(first[1].address == "127.0.0.1" && first[1].time == 1_780_000_000)
        #expect(UUID(uuidString: first[1].correlationID ?? "") != nil)

        #expect(try scene.submit(password: "Wrong-Salmon-1", try scene.challenged(mira).token).code == 50126)
        #expect(try scene.initiate("nobody@lofoten.example").code == 50034)
        let failed = try scene.tenant.provider.auditTrail().suffix(2).map(\.event)
        #expect(failed.map(\.kind) == [.signInFailed, .signInFailed])
        #expect(failed.map(\.detail) == ["AADSTS50126", "AADSTS50034"])
        #expect(failed.map(\.account) == [first[0].event.account, nil])

        let second = try scene.refresh(tokens.refreshToken).refreshToken
        _ = try scene.refresh(try scene.refresh(second).refreshToken)
        #expect(try scene.refresh(tokens.refreshToken).status == 400)
        #expect(try kinds().last == .refreshReuse)
    }

    @Test("Rule 126: a wrong code, an account that is locked, a password that was reset, a token that was given back")
    func others() throws {
        let scene = Scene(try TestTenant { $0.lockThreshold = 2 })
        let tokens = try scene.signedIn(mira)
        for number in 1...2 {
            _ = try scene.submit(password: "Wrong-Salmon-\(number)", try scene.challenged(mira).token)
        }
        #expect(try kinds(scene) == [.administration, .signUp, .signIn, .signInFailed, .accountLocked, .signInFailed])
        #expect(try scene.revoke(tokens.refreshToken).status == 200)
        #expect(try scene.revoke(tokens.refreshToken).status == 200)
        #expect(try kinds(scene).last == .revocation)
        #expect(try kinds(scene).count { $0 == .revocation } == 1, "it was over the second time")
        _ = try scene.codeAccount("nils@lofoten.example")
        let sent = try scene.challenged("nils@lofoten.example", app: Scene.codeApp)
        let wrong = try scene.wrongCode("nils@lofoten.example")
        _ = try scene.token("grant_type=oob&continuation_token=\(sent.token)&oob=\(wrong)", app: Scene.codeApp)
        #expect(try scene.tenant.provider.auditTrail().last?.event.detail == "AADSTS50181")
    }

    @Test("Rule 126: a reset, and a disabled account that nobody gets into")
    func reset() throws {
        _ = try scene.signedIn(mira)
        scene.tenant.clock.advance(by: 1)
        let app = Scene.passwordApp
        let start = try scene.caller.post(
            "/resetpassword/v1.0/start", "client_id=\(app)&username=\(mira)&challenge_type=oob+redirect")
        let sent = try scene.caller.post(
            "/resetpassword/v1.0/challenge",
            "client_id=\(app)&continuation_token=\(start.token)&challenge_type=oob+redirect")
        let proven = try scene.caller.post(
            "/resetpassword/v1.0/continue",
            "client_id=\(app)&continuation_token=\(sent.token)&grant_type=oob&oob=\(try scene.code(mira))")
        let done = try scene.caller.post(
            "/resetpassword/v1.0/submit",
            "client_id=\(app)&continuation_token=\(proven.token)&new_password=Salmon-Fjord-48")
        #expect(done.status == 200)
        #expect(try kinds().contains(.passwordReset))
        #expect(try scene.tenant.provider.changeAccount(mira) { $0.isDisabled = true })
        #expect(try scene.initiate(mira).code == 50057)
        #expect(try kinds().suffix(2) == [.administration, .signInFailed])
    }

    @Test("Rule 126: what the owner does")
    func administration() throws {
        let provider = scene.tenant.provider
        _ = try scene.signedIn(mira)
        try provider.save(UserFlow(name: "shop", method: .code, attributes: []))
        try provider.save(AppRegistration(clientID: Scene.codeApp, name: "Shop", userFlow: "shop"))
        try provider.save(Resource.sample)
        var settings = provider.currentSettings
        settings.codeLength = 6
        settings.smsCommand = "send --token hush"
        try provider.save(settings)
        #expect(try provider.deleteAccount(mira))
        let acts = try provider.auditTrail().filter { $0.event.kind == .administration }
        #expect(
            acts.map(\.event.detail) == [
                "flow shop", "app \(Scene.codeApp)", "api \(Resource.sample.id)", "config code_length sms_command",
                "account deleted",
            ])
        #expect(acts.allSatisfy { $0.address == nil })
    }

    @Test("Rule 126: who is asked besides, and who was told everything", .inFile)
    func extensionsAndCopies() throws {
        let provider = scene.tenant.provider
        let open = OpenTenant(provider, in: scene.tenant.folder)
        let draft = try ExtensionDraft(
            json: Data(
                #"{"name": "tiers", "event": "tokenIssuanceStart", "target_url": "http://127.0.0.1:9099/"}"#.utf8))
        let id = try SaveExtension(draft).run(on: open) { _ in }
        _ = try RemoveExtensionCall(id).run(on: open) { _ in }
        #expect(throws: AdminRefusal.noSuchExtension(id)) { try RemoveExtensionCall(id).run(on: open) { _ in } }
        let copy = scene.tenant.folder.path + "/copy"
        _ = try BackUp(to: copy).run(on: open) { _ in }
        _ = try ExportAccounts(after: "").run(on: open) { _ in }
        _ = try ExportAccounts(after: "z@lofoten.example").run(on: open) { _ in }
        let acts = ["extension \(id)", "extension \(id) removed", "tenant copied", "accounts exported"]
        #expect(try provider.auditTrail().map(\.event.detail) == acts)

        let restored = TenantFolder(path: scene.tenant.folder.path + "/restored/local")
        try FileManager.default.createDirectory(
            atPath: restored.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #expect(try TenantBackup(path: copy).restore(to: restored, at: scene.tenant.clock.read()) == nil)
        let former = try restored.open(name: "", origin: "", cores: 1, now: scene.tenant.clock.read)
        #expect(try former.auditTrail().map(\.event.detail) == acts.dropLast() + ["tenant restored"])
    }

    @Test("the owner's acts are dated by the tenant's own time, as everything else is")
    func time() throws {
        _ = try scene.signedIn(mira)
        scene.tenant.clock.advance(by: -3600)
        #expect(try scene.tenant.provider.changeAccount(mira) { $0.mustChangePassword = true })
        #expect(try scene.tenant.provider.auditTrail().map(\.time) == [1_780_000_000, 1_780_000_000, 1_780_000_000])
    }

    @Test("Rule 40: an entry names who asked, and not the proxy between")
    func proxies() throws {
        let scene = Scene(try TestTenant { $0.trustedProxies = ["10.0.0.0/8"] })
        for (proxy, claim, address) in [
            ("10.0.0.5", "198.51.100.1", "198.51.100.1"), ("192.0.2.7", "198.51.100.1", "192.0.2.7"),
            ("10.0.0.5", "::ffff:198.51.100.9", "198.51.100.9"), ("10.0.0.5", "2001:db8::7", "2001:db8::7"),
        ] {
            _ = try scene.caller.from(proxy).answer(
                "POST", SignIn.Initiate.path,
                ["x-forwarded-for": claim, "content-type": "application/x-www-form-urlencoded"],
                "client_id=\(Scene.passwordApp)&username=nobody@lofoten.example&challenge_type=oob+password+redirect")
            #expect(try scene.tenant.provider.auditTrail().last?.address == address)
        }
    }

    @Test("Rule 126: entries are neither changed nor removed")
    func isAppendOnly() throws {
        _ = try scene.signedIn(mira)
        let before = try scene.tenant.provider.auditTrail()
        for statement in ["UPDATE audit SET event = 'x'", "DELETE FROM audit", "DELETE FROM audit WHERE id = 1"] {
            #expect(throws: StoreError.self) {
                try scene.tenant.provider.database.transaction { connection in _ = try connection.run(statement) }
            }
        }
        #expect(try scene.tenant.provider.auditTrail() == before && before.count == 2)
    }

    @Test("an event stands there with what it tells about, or neither does", .inFile)
    func isOfOneTransaction() throws {
        let tokens = try scene.signedIn(mira)
        try scene.tenant.provider.database.transaction { connection in
            _ = try connection.run(
                "CREATE TRIGGER no BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        #expect(try scene.revoke(tokens.refreshToken).status == 503)
        #expect(try scene.initiate("nobody@lofoten.example").code == 50034)
        try scene.tenant.provider.database.transaction { connection in _ = try connection.run("DROP TRIGGER no") }
        #expect(try scene.refresh(tokens.refreshToken).status == 200, "it was not revoked")
        #expect(try kinds() == [.signUp, .signIn])
    }

    @Test("Rule 99: what fails inside is told in general words to clients, and in its own to the owner")
    func internalFailure() throws {
        let opened = try scene.start(mira)
        try scene.tenant.provider.database.transaction { connection in _ = try connection.run("DROP TABLE code_sent") }
        let seen = Mutex<[Observation]>([])
        let watched = scene.tenant.provider.observed { observation in seen.withLock { $0.append(observation) } }
        let answer = try Scene(scene.tenant, by: Caller { watched.answer($0) }).signUpChallenge(opened.token)
        #expect(answer.status == 503 && answer.error == "temporarily_unavailable")
        #expect(answer["error_description"] == .string("The tenant cannot use its database now."))
        #expect(UUID(uuidString: answer["correlation_id"]?.string ?? "") != nil)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("code_sent"))
        #expect(seen.withLock { $0.first?.failure }?.contains("code_sent") == true)
    }

    @Test("the newest are told, from a time on")
    func selection() throws {
        _ = try scene.signedIn(mira)
        scene.tenant.clock.advance(by: 100)
        _ = try scene.signIn(mira)
        let provider = scene.tenant.provider
        #expect(try provider.auditTrail(since: 1_780_000_100).map(\.event.kind) == [.signIn])
        #expect(try provider.auditTrail(limit: 2).map(\.event.kind) == [.signIn, .signIn])
    }

    @Test("a watcher learns what was done, and nothing of what was rolled back")
    func observations() throws {
        let seen = Mutex<[Observation]>([])
        let watched = scene.tenant.provider.observed { observation in seen.withLock { $0.append(observation) } }
        let scene = Scene(scene.tenant, by: Caller { watched.answer($0) })
        _ = try scene.signedIn(mira)
        _ = try scene.initiate("nobody@lofoten.example")
        _ = try scene.caller.get("/made/up?code=1")
        let all = seen.withLock { $0 }
        #expect(
            all.map(\.endpoint) == [
                "/signup/v1.0/start", "/signup/v1.0/challenge", "/signup/v1.0/continue", "/oauth2/v2.0/token",
                "/oauth2/v2.0/initiate", "other",
            ])
        #expect(all.map(\.status) == [200, 200, 200, 200, 400, 404])
        #expect(all.map { $0.events.map(\.kind) } == [[], [], [.signUp], [.signIn], [.signInFailed], []])
        #expect(all[4].refusal?.errorCodes == [50034])
        #expect(all.allSatisfy { $0.duration > .zero && $0.failure == nil && $0.address == "127.0.0.1" })
    }
}
