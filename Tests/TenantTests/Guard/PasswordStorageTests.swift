// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"

/// How passwords are hashed, and what that may cost.
struct PasswordStorageTests {
    /// A tenant whose hashes cost next to nothing or what they have to.
    private func scene(_ scene: Scene, hashing hasher: PasswordHasher) -> Scene {
        let spool = scene.tenant.folder.spool
        let provider = scene.tenant.provider.sending(hasher: hasher) { try spool.deliver($0) }
        return Scene(scene.tenant, by: Caller { provider.answer($0) })
    }

    private func stored(_ scene: Scene) throws -> String? {
        try scene.tenant.provider.database.transaction { connection in
            try connection.rows("SELECT password FROM account").first?.text(0)
        }
    }

    private let cheap = PasswordHasher(cores: 2, cost: PasswordCost(memory: 8, passes: 1))

    @Test("Rule 42: nothing weaker can be set, and salt and tag have their lengths")
    func weakerCostCannotBeSet() throws {
        for (name, value) in [("hash_memory", "19455"), ("hash_passes", "1"), ("hash_memory", "262145")] {
            #expect(try #require(Settings.table.first { $0.name == name }).change(to: value) == nil)
        }
        let hash = try #require(try PasswordHasher(cores: 1).hash(Password("Fjord-Salmon-47")))
        let parts = hash.split(separator: "$")
        #expect(parts.map { $0.utf8.count }.suffix(2) == [22, 43], "16 and 32 bytes")
    }

    @Test("Rule 43: the cost of a guess can be measured")
    func costCanBeMeasured() throws {
        let small = try #require(try Calibration.measure(PasswordCost(memory: 8, passes: 1), rounds: 1))
        let large = try #require(try Calibration.measure(.least, rounds: 3))
        #expect(small.milliseconds > 0 && large.milliseconds > small.milliseconds)
        let slow = Calibration(cost: .most, milliseconds: 251)
        #expect(Calibration.recommended(of: [small, slow])?.cost == small.cost)
        #expect(Calibration.recommended(of: [slow]) == nil)
    }

    @Test("Rule 45: a hash is made anew at the next right password where more is asked by now, once")
    func hashIsUpgraded() throws {
        let scene = Scene(
            try TestTenant {
                $0.hashMemory = PasswordCost.least.memory
                $0.hashPasses = PasswordCost.least.passes
            })
        try self.scene(scene, hashing: cheap).passwordAccount(mira)
        let old = try #require(try stored(scene))
        #expect(old.contains("m=8,t=1"))
        #expect(try scene.submit(password: "wrong", try scene.challenged(mira).token).code == 50126)
        #expect(try stored(scene) == old)
        #expect(try scene.signIn(mira).status == 200)
        let new = try #require(try stored(scene))
        #expect(new.contains("m=19456,t=2"))
        #expect(try scene.signIn(mira).status == 200)
        #expect(try stored(scene) == new)
        // Less is never made of more.
        #expect(try self.scene(scene, hashing: cheap).signIn(mira).status == 200)
        #expect(try stored(scene) == new)
    }

    @Test("Rule 45: an upgrade ends no session")
    func upgradeEndsNoSession() throws {
        let scene = Scene(try TestTenant())
        let session = try self.scene(scene, hashing: cheap).signedIn(mira)
        #expect(try scene.signIn(mira).status == 200)
        #expect(try scene.refresh(session.refreshToken).status == 200)
    }

    // MARK: - The queue

    /// A slot that is taken until the test lets go of it.
    private func occupied(_ queue: HashQueue) -> DispatchSemaphore {
        let (inside, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            try? queue.run {
                inside.signal()
                end.wait()
            }
        }
        inside.wait()
        return end
    }

    @Test("Rule 46: whoever is one too many in the line is turned away, and served when there is room")
    func lineHasAnEnd() throws {
        let queue = HashQueue(slots: 2, waiting: 0)
        let first = occupied(queue)
        let second = occupied(queue)
        #expect(throws: HashQueue.Full.self) { try queue.run {} }
        first.signal()
        // It leaves the line a moment later.
        while (try? queue.run { true }) == nil {}
        second.signal()
    }

    @Test("Rule 46: how long the line is can be told, and has an end")
    func lineIsCounted() throws {
        let queue = HashQueue(slots: 1, waiting: 1)
        #expect(queue.load == HashLoad(slots: 1, running: 0, waiting: 0))
        let end = occupied(queue)
        #expect(queue.load == HashLoad(slots: 1, running: 1, waiting: 0))
        let waited = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? queue.run {}
            waited.signal()
        }
        while queue.load.waiting == 0 { sched_yield() }
        #expect(queue.load == HashLoad(slots: 1, running: 1, waiting: 1))
        #expect(throws: HashQueue.Full.self) { try queue.run {} }
        end.signal()
        waited.wait()
        while queue.load.running > 0 { sched_yield() }
    }

    @Test("Rule 46: a tenant that cannot hash in time says 503, and when to come again")
    func overloadIsSaid() throws {
        let scene = Scene(try TestTenant())
        try scene.passwordAccount(mira)
        let token = try scene.challenged(mira).token
        let queue = HashQueue(slots: 1, waiting: 0)
        let busy = self.scene(scene, hashing: PasswordHasher(cost: .least, queue: queue))
        let end = occupied(queue)
        for password in [Scene.password, "wrong"] {
            let answer = try busy.submit(password: password, token)
            #expect(answer.status == 503 && answer.headers["retry-after"] == "1")
            #expect(answer.error == "temporarily_unavailable")
        }
        #expect(try busy.start("ola@lofoten.example", "&password=\(Scene.password)").status == 503)
        end.signal()
        // Neither of them counted as a failure, nor was the flow used up.
        #expect(try scene.submit(password: Scene.password, token).status == 200)
    }

    @Test("Rule 46: a thousand passwords at once are each answered, and never by more memory than the cores need")
    func thousandAtOnce() async throws {
        let hasher = PasswordHasher(cores: 2, cost: PasswordCost(memory: 1024, passes: 1), waiting: 64)
        let hash = try #require(try hasher.hash(Password("Fjord-Salmon-47")))
        let outcomes = await withTaskGroup(of: Bool?.self) { group in
            for _ in 0..<1000 { group.addTask { try? hasher.verify(Password("Fjord-Salmon-47"), hash) } }
            return await group.reduce(into: [Bool?]()) { $0.append($1) }
        }
        #expect(outcomes.count == 1000 && outcomes.allSatisfy { $0 != false })
        #expect(outcomes.contains(true))
    }

    // MARK: - Hashes from elsewhere

    private static let good =
        "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFndGFndGFndGFndGFndGE"

    @Test(
        "Rule 47: a hash that would cost too much, or is none, is not taken",
        arguments: [
            ("m=19456", "m=262145"), ("m=19456", "m=4194304"), ("m=19456", "m=99999999999999999999"),
            ("m=19456", "m=7"), ("m=19456", "m=-1"), ("m=19456", "m=+19456"), ("m=19456", "m=019456"),
            ("m=19456", "m="), ("m=19456", "m=０"), ("t=2", "t=11"), ("t=2", "t=0"), ("t=2", "t=4294967295"),
            ("p=1", "p=0"), ("p=1", "p=17"), ("p=1", "p=1,keyid=a"), ("v=19", "v=16"), ("$v=19", ""),
            ("argon2id", "argon2i"), ("argon2id", "argon2d"), ("argon2id", "2b"), ("c2Fs", "c2F="), ("c2Fs", "c2-s"),
            ("$c2FsdHNhbHRzYWx0c2FsdA", "$"), ("$dGFn", "$" + String(repeating: "A", count: 300)), ("$dGFn", "$\0"),
            ("$argon2id", "argon2id"), ("$argon2id", "$$argon2id"),
        ])
    func hostileHashIsNotTaken(_ part: String, _ other: String) throws {
        #expect(PasswordHash(Self.good) != nil)
        let hostile = Self.good.replacing(part, with: other)
        #expect(hostile != Self.good)
        #expect(PasswordHash(hostile) == nil)
        // Where it is stored all the same, it fits nothing, and costs what any other does.
        #expect(try !cheap.verify(Password("Fjord-Salmon-47"), hostile))
    }

    @Test(
        "Rule 47: what is within the bounds is taken", arguments: ["m=262144,t=10,p=1", "m=64,t=1,p=4", "m=8,t=1,p=1"])
    func boundsAreIncluded(_ cost: String) {
        #expect(PasswordHash(Self.good.replacing("m=19456,t=2,p=1", with: cost)) != nil)
    }
}
