// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant

/// A server that is ended at its changes to files, in the middle of every flow: what it acknowledged is there, and the flow
/// goes on where it was, as if nothing had happened.
@Suite("F1: a server that is killed", .inTurns)
struct KilledServerTests {
    @Test(
        "F1: at each change of a file, what was acknowledged is there, and the flow goes on", arguments: Script.chosen)
    func sweep(_ script: Script) async throws {
        let changes = try await changes(script)
        let expected = try Prepared.effects(of: script)
        try #require(changes > 8, "the changes are not counted")
        let offset = Int.random(in: 1...max(1, changes / 3))
        let chosen = isWhole ? Array(1...changes) : Array(stride(from: offset, through: changes, by: changes / 3))
        for number in chosen {
            let server = try await FaultyServer()
            try server.end(at: number, of: .changes)
            let moment: Comment = "killed at change \(number) of \(changes)"
            let (reached, talk) = try await OwnThread.run { Result { try play(script, at: server) } }.get()
            if reached < script.calls.count {
                #expect(try await server.session.finish(timeout: .seconds(60)) == .signal(SIGKILL), moment)
            } else {
                try await server.kill()
            }
            try goOn(script, from: reached, talk, in: server, moment)
            #expect(try server.folder.check() == [], moment)
            #expect(try Effects(of: server.folder) == expected, moment)
        }
    }

    /// How many changes a script makes.
    private func changes(_ script: Script) async throws -> Int {
        let server = try await FaultyServer()
        try server.count(.changes)
        let (reached, _) = try await OwnThread.run { Result { try play(script, at: server) } }.get()
        #expect(reached == script.calls.count)
        let changes = try server.seen()
        try await server.stop()
        #expect(try server.folder.check() == [])
        #expect(try Effects(of: server.folder) == Prepared.effects(of: script))
        return changes
    }
}

/// Plays a script until the server is gone.
///
/// - Returns: The call that has no answer, or the number of calls.
func play(_ script: Script, at server: FaultyServer) throws -> (reached: Int, talk: Talk) {
    var talk = server.talk(script)
    for index in script.calls.indices {
        do {
            try script.play(index, &talk, by: server.caller.delivery)
        } catch is SocketClient.NoAnswer {
            return (index, talk)
        }
    }
    return (script.calls.count, talk)
}

/// Plays the rest of a script at the tenant that was left behind, in this process.
func goOn(_ script: Script, from index: Int, _ talk: Talk, in server: FaultyServer, _ moment: Comment) throws {
    var talk = talk
    let provider = try server.open()
    let caller = Caller { provider.answer($0) }
    do {
        try script.play(from: index, &talk, by: caller.delivery)
    } catch {
        Issue.record(error, moment)
    }
}
