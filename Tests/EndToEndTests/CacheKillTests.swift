// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Killed at a change of the cache", .inTurns)
struct CacheKillTests {
    /// Every command that writes the cache and nothing else.
    static let commands: [[String]] = [
        ["switch", "ada@example.com"], ["signout"], ["signout", "--all"], ["signout", "--local-only"],
    ]

    @Test(
        "Rule 87, F20: at each system call that changes a file, the old or the new cache is there, whole",
        arguments: commands)
    func sweep(words: [String]) async throws {
        let template = try Home()
        for name in ["ada", "bo"] { try await template.signUp("\(name)@example.com") }
        try FileManager.default.removeItem(atPath: template.passwordFile())
        let unharmed = try Home(copyOf: template)
        let (outcome, changes) = try await unharmed.run(words).killed(atChange: 0)
        try #require(outcome.ending == .exit(0) && changes >= 4, "\(changes) changes: \(outcome)")
        let before = try secrets(template)
        let after = try secrets(unharmed)
        #expect(before.count == 6, "two accounts with three tokens each")
        for number in 1...changes {
            let home = try Home(copyOf: template)
            let (killed, _) = try await home.run(words).killed(atChange: number)
            let moment: Comment = "killed at change \(number) of \(changes): \(killed)"
            #expect(killed.ending == .signal(SIGKILL) || killed.ending == .exit(0), moment)
            let found = try secrets(home)
            #expect(found == before || found == after, moment)
            // What is left over is taken away by the next change, which is not in its way.
            try await home.succeed("signin", "-u", "bo@example.com", "--password-file", try home.passwordFile())
            #expect(try await home.succeed("whoami") == "bo@example.com\n", moment)
            try await home.succeed("tenant", "check")
        }
    }

    /// The tokens in the cache, which has to be whole, or gone.
    private func secrets(_ home: Home) throws -> Set<String> {
        guard let text = home.read(home.cache) else { return [] }
        let cache = try object(text)
        let sections = ["AccessToken", "IdToken", "RefreshToken"].map { cache.object($0) }
        return Set(sections.flatMap(\.values).compactMap { ($0 as? [String: Any])?.string("secret") })
    }
}
