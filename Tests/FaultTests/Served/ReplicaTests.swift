// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import Synchronization
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// People who sign up, sign in and refresh, all the time, and what they were told.
private final class Load: Sendable {
    private struct State {
        var isOver = false
        /// Whose sign-up was acknowledged, and the newest refresh token of each.
        var tokens: [String: String] = [:]
        var failures: [String] = []
    }

    private let state = Mutex(State())
    private let cluster: Cluster
    private let scene: Scene

    init(on cluster: Cluster) {
        self.cluster = cluster
        scene = Scene(cluster.tenant, by: cluster.caller)
    }

    var tokens: [String: String] { state.withLock { $0.tokens } }
    var failures: [String] { state.withLock { $0.failures } }

    func end() { state.withLock { $0.isOver = true } }

    /// Returns when so many more have signed up.
    func go(on count: Int) async throws {
        let goal = tokens.count + count
        let end = ContinuousClock.now + .seconds(180)
        while tokens.count < goal, failures.isEmpty {
            try #require(ContinuousClock.now < end, "\(tokens.count) of \(goal)")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// One person after the other.
    func run(_ worker: Int) {
        var number = 0
        while !state.withLock({ $0.isOver }) {
            number += 1
            do {
                try live("w\(worker)-\(number)@lofoten.example")
            } catch {
                state.withLock { $0.failures.append("\(error)") }
                return
            }
        }
    }

    private func live(_ address: String) throws {
        let sent = try expect(
            scene.codeSent(address, "&password=\(Scene.password)&\(Scene.country)"), "a code for \(address)")
        let code = try cluster.code(for: address)
        let done = try expect(scene.proceed(sent.token, "grant_type=oob&oob=\(code)"), "the sign-up of \(address)")
        state.withLock { $0.tokens[address] = "" }
        let first = try expect(scene.redeem(done.token), "the tokens of \(address)")
        let next = try expect(scene.refresh(first.refreshToken), "the refresh of \(address)")
        state.withLock { $0.tokens[address] = next.refreshToken }
        let opened = try expect(scene.challenged(address), "the sign-in of \(address)")
        _ = try expect(scene.submit(password: Scene.password, opened.token), "the password of \(address)")
    }

    private func expect(_ answer: RawAnswer, _ what: String) throws -> RawAnswer {
        guard answer.status == 200 else {
            throw UnexpectedAnswer(
                description: "\(what): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return answer
    }

    /// What was acknowledged is there: each account, and each session by its newest token.
    func check() throws {
        #expect(failures == [])
        #expect(try cluster.tenant.findings() == [])
        for (address, token) in tokens {
            let opened = try scene.challenged(address)
            #expect(try scene.submit(password: Scene.password, opened.token).status == 200, "\(address)")
            if !token.isEmpty { #expect(try scene.refresh(token).status == 200, "\(address)") }
        }
    }
}

/// A tenant that outlives a machine.
@Suite("F11 and F12: several servers", .inTurns)
struct ReplicaTests {
    private func loaded(_ body: (Cluster, Load) async throws -> Void) async throws {
        let cluster = try await Cluster()
        let load = Load(on: cluster)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 { group.addTask { await OwnThread.run { load.run(worker) } } }
            defer { load.end() }
            try await body(cluster, load)
        }
        try await OwnThread.run { Result { try load.check() } }.get()
        try await cluster.stop()
    }

    @Test("F11: one of two servers is killed under load, and nothing that was acknowledged is lost")
    func kill() async throws {
        try await loaded { cluster, load in
            for number in 0..<2 {
                try await load.go(on: 15)
                try await cluster.kill(number)
                try await load.go(on: 15)
                try await cluster.start(number)
            }
            try await load.go(on: 10)
        }
    }

    @Test("F12: the database is ended at once under load, and nothing that was acknowledged is lost")
    func restart() async throws {
        try await loaded { cluster, load in
            for _ in 0..<3 {
                try await load.go(on: 15)
                try await OwnThread.run { Result { try cluster.postgres.stop() } }.get()
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...1500)))
                try await OwnThread.run { Result { try cluster.postgres.start() } }.get()
            }
            try await load.go(on: 15)
        }
    }

    @Test(
        "F11: every flow, with the mistakes that people make, goes through where each request comes to another server")
    func flows() async throws {
        let cluster = try await Cluster()
        // This process is a server too: with a clock that is behind, the others would take what it has begun for over.
        let clock = cluster.tenant.clock
        clock.advance(by: Date().timeIntervalSince(clock.read()))
        try People.make(at: cluster.tenant)
        try await OwnThread.run {
            Result {
                // The reset comes last: it changes the password of the others.
                for script in Script.all.filter({ $0.name != Script.reset.name }) + [.reset] {
                    // A code is asked for where it was just sent: it is none of those before.
                    let seen = Mutex<[String: Set<String>]>([:])
                    for address in [People.ada, People.bo, People.boPhone, People.cai, People.dan, People.danNew] {
                        let codes = try cluster.codes(for: address)
                        seen.withLock { $0[address] = Set(codes) }
                    }
                    var talk = Talk(app: script.app) { address in
                        try cluster.code(for: address, besides: seen.withLock { $0[address] ?? [] })
                    }
                    try script.play(&talk, by: cluster.caller.delivery)
                }
            }
        }.get()
        #expect(try cluster.tenant.findings() == [])
        try await cluster.stop()
    }

    @Test("what the owner tells one server the others do within seconds, and all name the address of the proxy")
    func settings() async throws {
        let cluster = try await Cluster()
        let scene = Scene(cluster.tenant, by: cluster.caller)
        for _ in 0..<2 {
            let document = try cluster.caller.get("/v2.0/.well-known/openid-configuration")
            let tokens = try #require(document["token_endpoint"]?.string)
            #expect(tokens.hasPrefix("http://127.0.0.1:\(cluster.port)/"))
        }
        var settings = cluster.tenant.provider.currentSettings
        settings.codeLength = 6
        try cluster.tenant.provider.save(settings)
        let end = ContinuousClock.now + .seconds(30)
        var number = 0
        var lengths: Set<Int64> = []
        while lengths != [6], ContinuousClock.now < end {
            lengths = []
            for _ in 0..<4 {
                number += 1
                let sent = try scene.codeSent("n\(number)@lofoten.example")
                lengths.insert(sent["code_length"]?.integer ?? 0)
            }
        }
        #expect(lengths == [6])
        try await cluster.stop()
    }

    @Test("F11: servers that start at once on an empty database are servers of one tenant")
    func start() async throws {
        let postgres = try TestPostgres.shared.get()
        let database = try postgres.makeDatabase()
        let key = [UInt8](repeating: 7, count: Vault.keyLength)
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<6 {
                let home = try Home(.fresh)
                let folder = TenantFolder(path: home.tenantFolder)
                try folder.keep(serverAddress: postgres.address(of: database))
                try Data(key).write(to: URL(filePath: folder.keyPath))
                chmod(folder.keyPath, 0o600)
                group.addTask {
                    try await OwnThread.run {
                        Result {
                            defer { withExtendedLifetime(home) {} }
                            let provider = try folder.open(name: "local", origin: "http://127.0.0.1:8400", cores: 1)
                            return provider.currentSettings.tenantID + (try provider.keyCards().map(\.kid).joined())
                        }
                    }.get()
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        try postgres.remove(database)
    }
}
