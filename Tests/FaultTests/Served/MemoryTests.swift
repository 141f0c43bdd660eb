// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TenantTesting
import TerminalTesting
import Testing

@testable import Tenant

/// What is left in a server's memory of what people gave it.
@Suite("Memory of a server", .inTurns, .enabled(if: geteuid() == 0, "looking into a process needs privileges"))
struct MemoryTests {
    @Test("Rule 120: passwords, codes and tokens are not in the memory of a server that rests")
    func canaries() async throws {
        let server = try await FaultyServer()
        var secrets = [Scene.password, "Wrong-Salmon-48"]
        for script in [Script.passwordSignIn, .refresh, .codeSignIn] {
            secrets += try await OwnThread.run { Result { try play(script, server) } }.get()
        }
        #expect(secrets.count > 10)
        let present = "nativeauth-tenant"  // what is there for certain, so that looking is known to find
        let words = try server.home.write("words", (secrets + [present]).joined(separator: "\n") + "\n")
        let core = server.home.path + "/core"
        let process = String(await server.session.program)
        let dump = try await Run(
            "/usr/bin/gcore", ["-o", core, process], environment: server.home.environment)()
        try #require(dump.ending == .exit(0), "\(dump)")
        var look = Run(
            "/usr/bin/grep", ["-a", "-o", "-F", "-f", words, "\(core).\(process)"],
            environment: server.home.environment)
        look.timeout = .seconds(120)
        let found = Set(try await look().output.split(separator: "\n").map(String.init))
        #expect(found.contains(present))
        // A thread of libdispatch's keeps what it has last freed for itself, and is not asked for it.
        withKnownIssue("memory in the cache of a thread that rests", isIntermittent: true) {
            #expect(found == [present])
        }
        try await server.stop()
    }

    /// Plays a script; returns what nobody but the client may have afterwards.
    private func play(_ script: Script, _ server: FaultyServer) throws -> [String] {
        var talk = server.talk(script)
        var secrets: [String] = []
        try script.play(&talk) { path, body in
            let answer = try server.caller.post(path, body)
            secrets += [answer.token, answer.accessToken, answer.refreshToken].filter { !$0.isEmpty }
            return answer
        }
        if script.name == Script.codeSignIn.name { secrets.append(try server.folder.code(People.cai)) }
        return secrets
    }
}
