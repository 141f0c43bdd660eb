// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant

/// The disk under a server is full, or fails. Nothing is said to be done that is not, nobody is told that an account is not
/// there because the disk is not, and everything goes on as soon as it can.
@Suite("A disk that fails under a server", .inTurns)
struct FailingDiskTests {
    /// Only the database's own files: mail has a place of its own to wait in.
    private static let database = "/tenant.db"

    @Test(
        "F3: on a full disk 503 and Retry-After; reads go on; with room again the same flow finishes",
        arguments: Script.chosen)
    func full(_ script: Script) async throws {
        for number in isWhole ? Array(1...12) : [1, Int.random(in: 2...6)] {
            let server = try await FaultyServer(below: Self.database)
            try server.fail(ENOSPC, at: number, of: .room, lasting: true)
            let refusals = try await OwnThread.run {
                Result {
                    try enduring(script, at: server) {
                        let document = try server.caller.get("/v2.0/.well-known/openid-configuration")
                        #expect(document.status == 200, "what needs no room is answered")
                        #expect(try server.caller.get("/discovery/v2.0/keys").status == 200)
                        try server.heal()
                    }
                }
            }.get()
            #expect(refusals > 0 || number > 1, "nothing failed")
            try await server.stop()
            try check(server, script, "no room from write \(number) on")
        }
    }

    @Test("F4: a sync that fails once: 503, and the same request is good again", arguments: Script.chosen)
    func failedSync(_ script: Script) async throws {
        for number in isWhole ? Array(1...8) : [1, Int.random(in: 2...3)] {
            let server = try await FaultyServer(below: Self.database)
            // The first request after a start may write something about the keys, which can wait.
            _ = try server.caller.get("/discovery/v2.0/keys")
            try server.fail(EIO, at: number, of: .sync)
            let refusals = try await OwnThread.run { Result { try enduring(script, at: server) {} } }.get()
            // Some are about mail that leaves, which nobody waits for.
            #expect(refusals == 1 || number > 1 && refusals == 0, "sync \(number): \(refusals)")
            try await server.stop()
            try check(server, script, "sync \(number)")
        }
    }

    @Test(
        "F4: syncs that go on failing: nothing is acknowledged any more, and the server ends with 75",
        arguments: Script.chosen)
    func failedSyncs(_ script: Script) async throws {
        let server = try await FaultyServer(below: Self.database)
        try server.fail(EIO, of: .sync, lasting: true)
        let (reached, talk) = try await OwnThread.run { Result { try untilItEnds(script, server) } }.get()
        let ending = try await server.session.finish(timeout: .seconds(60))
        let transcript = await server.session.transcript
        #expect(ending == .exit(75), "\(transcript)")
        #expect(transcript.contains("fails, so nothing can be kept"), "\(transcript)")
        #expect(reached < script.calls.count)
        try goOn(script, from: reached, talk, in: server, "after failed syncs")
        try check(server, script, "after failed syncs")
    }

    @Test(
        "Rule 128, F4: at each call for the disk that fails, only 503, never another answer", arguments: Script.chosen)
    func eachCall(_ script: Script) async throws {
        let server = try await FaultyServer(below: Self.database)
        let hurt = try await OwnThread.run {
            Result {
                var talk = server.talk(script)
                var hurt = 0
                for index in script.calls.indices {
                    try script.play(index, &talk) { path, body in
                        for number in 1...40 where isWhole || number % 3 == 1 {
                            try server.fail(EIO, at: number, of: [.changes, .read])
                            let answer = try server.caller.post(path, body)
                            try server.heal()
                            // Not two failures in a row, which are one too many.
                            #expect(try Scene.nobody(server.caller).error == "user_not_found")
                            guard answer.status == 503 else { return answer }
                            hurt += 1
                        }
                        return try server.caller.post(path, body)
                    }
                }
                return hurt
            }
        }.get()
        #expect(hurt >= script.calls.count)
        try await server.stop()
        try check(server, script, "each call")
    }

    @Test("F5: while another program has the database locked, only 503; afterwards all is well")
    func foreignLock() async throws {
        let server = try await FaultyServer()
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute('BEGIN EXCLUSIVE')
            print('held', flush=True)
            sys.stdin.readline()
            """
        let holder = try TerminalSession.spawn(
            executable: "/usr/bin/python3", arguments: ["-c", script, server.folder.databasePath],
            environment: server.home.environment)
        try await holder.expect("held")
        for request in 0..<(isWhole ? 10 : 2) {
            let answer = try await OwnThread.run { Result { try Scene.nobody(server.caller) } }.get()
            #expect(answer.status == 503 && answer.headers["retry-after"] != nil, "request \(request)")
        }
        try await holder.send("\r")
        #expect(try await holder.finish() == .exit(0))
        let (reached, _) = try await OwnThread.run { Result { try play(.signUp, at: server) } }.get()
        #expect(reached == Script.signUp.calls.count)
        try await server.stop()
        try check(server, .signUp, "after the lock")
    }

    private func check(_ server: FaultyServer, _ script: Script, _ moment: Comment) throws {
        #expect(try server.folder.check() == [], moment)
        #expect(try Effects(of: server.folder) == Prepared.effects(of: script), moment)
    }

    /// Plays a script; whatever is refused for now is sent again.
    ///
    /// - Returns: How often something was.
    private func enduring(_ script: Script, at server: FaultyServer, _ refused: () throws -> Void) throws -> Int {
        var talk = server.talk(script)
        var refusals = 0
        try script.play(&talk) { path, body in
            var answer = try server.caller.post(path, body)
            for _ in 0..<4 where answer.status == 503 {
                #expect(answer.headers["retry-after"] != nil)
                refusals += 1
                try refused()
                answer = try server.caller.post(path, body)
            }
            return answer
        }
        return refusals
    }

    /// Sends what was refused again, as long as anybody answers.
    private func untilItEnds(_ script: Script, _ server: FaultyServer) throws -> (reached: Int, talk: Talk) {
        var talk = server.talk(script)
        for index in script.calls.indices {
            var hasFailed = false
            do {
                try script.play(index, &talk) { path, body in
                    while true {
                        let answer = try server.caller.post(path, body)
                        #expect(!hasFailed || answer.status == 503, "acknowledged after a failure: \(answer.status)")
                        guard answer.status == 503 else { return answer }
                        hasFailed = true
                    }
                }
            } catch is SocketClient.NoAnswer {
                return (index, talk)
            }
        }
        return (script.calls.count, talk)
    }
}

extension Scene {
    /// A request that looks into the database and changes nothing.
    static func nobody(_ caller: Caller) throws -> RawAnswer {
        try caller.post(
            "/oauth2/v2.0/initiate",
            "client_id=\(passwordApp)&username=nobody@fjord.example&challenge_type=oob+password+redirect")
    }
}
