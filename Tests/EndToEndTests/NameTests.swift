// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

/// Names of profiles and tenants become parts of paths.
@Suite("Names that lead elsewhere", .inTurns)
struct NameTests {
    let home: Home

    init() throws { home = try Home() }

    private static let corpus = [
        "..", ".", "../local", "/etc/passwd", "a/b", "a\\b", "local/../../x", "%2e%2e", "a\nb", "~", "$HOME", "å", " ",
        String(repeating: "a", count: 65),
    ]

    @Test("Rule 118: a profile's name leads nowhere else", arguments: corpus)
    func profiles(name: String) async throws {
        let before = home.names(in: home.path)
        for arguments in [["token", "--profile", name], ["config", "init", "--profile", name]] {
            let outcome = try await home.run(arguments)()
            #expect(outcome.ending == .exit(64), "\(outcome)")
        }
        let outcome = try await home.nativeauth("token", environment: ["NATIVEAUTH_PROFILE": name])
        #expect(outcome.ending == .exit(64), "\(outcome)")
        #expect(home.names(in: home.path) == before)
    }

    @Test("Rule 118: a tenant's name leads nowhere else", arguments: corpus)
    func tenants(name: String) async throws {
        let before = home.names(in: home.path)
        for arguments in [["user", "list"], ["config", "get"], ["inbox"], ["check"], ["reset", "--yes"]] {
            let outcome = try await home.run(["tenant"] + arguments + ["--tenant", name])()
            #expect(outcome.ending == .exit(64), "\(outcome)")
        }
        #expect(home.names(in: home.path) == before)
    }
}
