// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// Signing keys follow each other, and no token is ever without its key.
struct KeyRotationTests {
    private let mira = "mira@lofoten.example"
    private let day: TimeInterval = 86400

    private func kids(_ caller: Caller) throws -> [String] {
        let answer = try caller.get("/discovery/v2.0/keys")
        guard case .array(let keys)? = answer["keys"] else { return [] }
        return keys.compactMap { $0["kid"]?.string }
    }

    private func kid(_ token: String) -> String? { JWT(token)?.header.kid }

    @Test("Rule 62: the next key is published a day before it signs, and the last one until its tokens have expired")
    func rotation() throws {
        let scene = Scene(try TestTenant { $0.codeRefreshTokenLifetime = 86400 })
        let secret = try scene.signedIn(mira).refreshToken
        let old = try kids(scene.caller)
        #expect(old.count == 1)

        scene.tenant.clock.advance(by: 89 * day - 1)
        #expect(try kids(scene.caller) == old, "a second too early")
        scene.tenant.clock.advance(by: 1)
        let both = try kids(scene.caller)
        #expect(both.count == 2 && both.first == old.first)
        #expect(kid(try scene.refresh(secret).accessToken) == old.first, "published, and not in use yet")

        scene.tenant.clock.advance(by: day - 1)
        let last = try scene.refresh(secret)
        #expect(kid(last.accessToken) == old.first)
        scene.tenant.clock.advance(by: 1)
        #expect(kid(try scene.refresh(last.refreshToken).accessToken) == both.last)
        #expect(try kids(scene.caller) == both)

        // An access token lives for 5400 seconds at most, and clocks may be five minutes apart.
        scene.tenant.clock.advance(by: 5400 + 299)
        #expect(try kids(scene.caller) == both)
        scene.tenant.clock.advance(by: 1)
        #expect(try kids(scene.caller) == [both[1]])
        #expect(try scene.tenant.provider.keyCards().map(\.state) == [.current])
    }

    @Test("a key that is over is gone from the database, too")
    func privateKeyIsRemoved() throws {
        let tenant = try TestTenant()
        #expect(try tenant.provider.rotateKeys(immediately: true))
        tenant.clock.advance(by: 2 * 3600)
        _ = try tenant.caller.get("/discovery/v2.0/keys")
        let rows = try tenant.provider.database.transaction { connection in
            try connection.rows("SELECT kid FROM signing_key").count
        }
        #expect(rows == 1)
    }

    @Test("keys of a tenant that says so are never replaced")
    func never() throws {
        let tenant = try TestTenant { $0.keyRotation = 0 }
        let before = try kids(tenant.caller)
        tenant.clock.advance(by: 1000 * day)
        #expect(try kids(tenant.caller) == before)
    }

    @Test("a tenant that slept for a year signs with its old key until clients know the new one")
    func longSleep() throws {
        let tenant = try TestTenant()
        let old = try kids(tenant.caller)
        tenant.clock.advance(by: 400 * day)
        try tenant.restart()
        #expect(try kids(tenant.caller).count == 2)
        #expect(tenant.provider.signer.kid == old.first)
        tenant.clock.advance(by: day)
        #expect(tenant.provider.signer.kid != old.first)
    }

    @Test("a rotation is what the owner asks for: tomorrow, or at once", .atOneServer)
    func byHand() throws {
        let scene = Scene(try TestTenant())
        let tokens = try scene.signedIn(mira)
        #expect(try scene.tenant.provider.rotateKeys(immediately: false))
        #expect(try scene.tenant.provider.keyCards().map(\.state) == [.current, .next])
        #expect(try !scene.tenant.provider.rotateKeys(immediately: false), "one waits already")
        #expect(try scene.tenant.provider.rotateKeys(immediately: true))
        #expect(try scene.tenant.provider.keyCards().map(\.state) == [.retired, .current])
        let fresh = try scene.refresh(tokens.refreshToken)
        #expect(kid(fresh.accessToken) == scene.tenant.provider.signer.kid)
        #expect(kid(fresh.accessToken) != kid(tokens.accessToken))
        for token in [tokens.accessToken, fresh.accessToken] {
            let answer = try scene.caller.get("/oidc/userinfo", ["authorization": "Bearer \(token)"])
            #expect(answer.status == 200)
        }
    }

    @Test("a shorter life of tokens leaves the old ones their key")
    func shorterLife() throws {
        let tenant = try TestTenant { $0.accessTokenLifetime = 10 * 86400 }
        _ = try tenant.caller.get("/discovery/v2.0/keys")
        var settings = tenant.provider.currentSettings
        settings.accessTokenLifetime = 60
        try tenant.provider.save(settings)
        try tenant.restart()
        #expect(try tenant.provider.rotateKeys(immediately: true))
        tenant.clock.advance(by: 14 * day)
        #expect(try kids(tenant.caller).count == 2)
        tenant.clock.advance(by: 2 * day)
        #expect(try kids(tenant.caller).count == 1)
    }

    @Test("Rule 63: of servers that find a key due at once, one makes it", arguments: 0..<5)
    func twoServers(round: Int) async throws {
        let tenant = try TestTenant()
        let servers = [try tenant.open(), try tenant.open(), try tenant.open()]
        tenant.clock.advance(by: 89 * day)
        await withTaskGroup(of: Void.self) { group in
            for server in servers {
                group.addTask {
                    await OwnThread.run {
                        _ = server.answer(Request(method: "GET", path: "/local/discovery/v2.0/keys"))
                    }
                }
            }
        }
        let rows = try tenant.provider.database.transaction { connection in
            try connection.rows("SELECT number FROM signing_key ORDER BY number").map { $0.integer(0) }
        }
        #expect(rows == [0, 1])
        let events = try tenant.provider.auditTrail().filter { $0.event.kind == .keyRotation }
        #expect(events.count == 1)
        // All of them use it when its time has come, and sooner or later tell of it.
        tenant.clock.advance(by: day)
        for server in servers {
            _ = server.answer(Request(method: "GET", path: "/local/discovery/v2.0/keys"))
            #expect(server.signer.kid == servers[0].signer.kid)
        }
    }

    /// What a client does: it keeps the keys, and asks for them again when it sees one that it does not know.
    private final class Verifier: Sendable {
        private let known = Mutex<[String: Signer]>([:])
        let tenant: TestTenant

        init(_ tenant: TestTenant) { self.tenant = tenant }

        func holds(_ text: String) throws -> Bool {
            guard let token = JWT(text), let kid = token.header.kid else { return false }
            if known.withLock({ $0[kid] }) == nil {
                let published = try Set(KeyRotationTests().kids(tenant.caller))
                let ring = try tenant.provider.database.transaction { try $0.keyRing(tenant.provider.vault) }
                for key in ring?.listed(at: 0) ?? [] where published.contains(key.signer.kid) {
                    known.withLock { $0[key.signer.kid] = key.signer }
                }
            }
            return known.withLock { $0[kid] }?.signed(token) == true
        }
    }

    /// Clients that refresh until they are told to stop.
    private final class Load: Sendable {
        struct Verdicts: Sendable {
            var held = 0
            var failed = 0
        }

        private let isOver = Mutex(false)

        func end() { isOver.withLock { $0 = true } }

        func refresh(_ first: String, _ scene: Scene, _ verifier: Verifier) throws -> Verdicts {
            var secret = first
            var verdicts = Verdicts()
            repeat {
                let tokens = try scene.refresh(secret)
                secret = tokens.refreshToken
                for text in [tokens.accessToken, tokens["id_token"]?.string ?? ""] {
                    if try verifier.holds(text) { verdicts.held += 1 } else { verdicts.failed += 1 }
                }
            } while !isOver.withLock { $0 }
            return verdicts
        }
    }

    @Test("Rule 62: keys that are replaced under load fail no client", .atOneServer)
    func underLoad() async throws {
        let scene = Scene(try TestTenant())
        let verifier = Verifier(scene.tenant)
        let first = try (0..<6).map { try scene.signedIn("mira\($0)@lofoten.example").refreshToken }
        let load = Load()
        let verdicts = try await withThrowingTaskGroup(of: Load.Verdicts.self) { group in
            for secret in first {
                group.addTask {
                    try await OwnThread.run { Result { try load.refresh(secret, scene, verifier) } }.get()
                }
            }
            for _ in 0..<6 { _ = try scene.tenant.provider.rotateKeys(immediately: true) }
            load.end()
            return try await group.reduce(into: Load.Verdicts()) {
                $0.held += $1.held
                $0.failed += $1.failed
            }
        }
        #expect(verdicts.failed == 0)
        #expect(verdicts.held >= 2 * first.count)
        #expect(try scene.tenant.provider.keyCards().count == 7)
    }

    @Test("Rule 57: keys are RSA with 2048 bits, and neither the database nor its log holds one in the clear", .inFile)
    func sealed() throws {
        let tenant = try TestTenant()
        #expect(try tenant.provider.rotateKeys(immediately: true))
        let ring = try #require(try tenant.provider.database.transaction { try $0.keyRing(tenant.provider.vault) })
        let keys = ring.listed(at: 0)
        #expect(keys.count == 2)
        for key in keys {
            #expect(Base64URL.decode(key.signer.keySet.keys[0].n ?? "")?.count == 256)
            // The private half begins behind modulus and exponent, some 300 bytes into the DER.
            let secret = Data(key.signer.der[400..<432])
            for name in ["tenant.db", "tenant.db-wal"] {
                let file = try Data(contentsOf: URL(filePath: "\(tenant.folder.path)/\(name)"))
                #expect(file.firstRange(of: secret) == nil, "\(name)")
            }
        }
    }

    @Test("a database of the version before keeps its key, which signs on")
    func migrated() throws {
        let path = "/tmp/nativeauth-keys-\(UUID().uuidString).db"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let database = try Database(path: path)
        let vault = Vault(key: [UInt8](repeating: 7, count: Vault.keyLength))
        let signer = Issuer.shared.signer
        let ring = try database.transaction { connection in
            for migration in Schema.migrations[..<3] { try migration.apply(to: &connection) }
            try connection.run("PRAGMA user_version = 3")
            try connection.run(
                "INSERT INTO signing_key (kid, sealed, created_at) VALUES (?, ?, 77)", .text(signer.kid),
                .blob(vault.seal(signer.der)))
            try Schema.prepare(&connection)
            return try connection.keyRing(vault)
        }
        #expect(ring?.newest.signer.kid == signer.kid)
        #expect(ring?.newest.activatesAt == 77 && ring?.newest.publishedAt == 77 && ring?.newest.number == 0)
    }
}
