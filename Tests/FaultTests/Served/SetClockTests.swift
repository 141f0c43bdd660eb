// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant

/// A server whose machine has another time each time it starts.
@Suite("F8: a machine whose clock is set", .inTurns)
struct SetClockTests {
    @Test("F8: what expired before a new start stays so when the clock is two hours back then")
    func setBack() async throws {
        let library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
        try #require(access(library, R_OK) == 0, "the package faketime is missing")
        let script = Script.codeSignIn
        var servers: [FaultyServer] = []
        var answers: [String?] = []
        var proof = ""
        // The code is sent; it has expired; and then the clock is right again, two hours before.
        for offset in ["+120m", "+135m", "+0m"] {
            let former = servers.last?.folder
            // The library shares its state with what a program becomes, not with a first program.
            let server = try await FaultyServer(
                wrapper: ["/bin/sh", "-c", "exec \"$@\"", "sh"],
                environment: [
                    "LD_PRELOAD": library, "FAKETIME": offset, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                ]
            ) { folder in
                guard let former else { return }
                for end in ["", "-wal"] {
                    guard let data = try? Data(contentsOf: URL(filePath: former.databasePath + end)) else { continue }
                    try data.write(to: URL(filePath: folder.databasePath + end))
                    chmod(folder.databasePath + end, 0o600)
                }
            }
            if servers.isEmpty {
                var talk = server.talk(script)
                for index in 0..<2 { try script.play(index, &talk, by: server.caller.delivery) }
                let code = try server.folder.code(People.cai)
                proof = "grant_type=oob&continuation_token=\(talk.token)&oob=\(code)&\(Scene.standardScope)"
            } else {
                answers.append(try server.caller.post("/oauth2/v2.0/token", "client_id=\(script.app)&\(proof)").error)
            }
            try await server.stop()
            servers.append(server)
        }
        #expect(answers == ["expired_token", "expired_token"], "not before the clock was set back, and not after it")
    }
}
