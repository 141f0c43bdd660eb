// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Many processes at once", .inTurns)
struct ParallelSignInTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("T74: eight sign in to one account and one cache", arguments: [false, true])
    func oneAccount(served: Bool) async throws {
        try await home.signUp("ada@example.com")
        try await home.succeed("signout")
        let server = served ? try await home.serve() : nil
        let password = try home.passwordFile()
        try await withThrowingTaskGroup(of: Run.Outcome.self) { group in
            for _ in 1...8 {
                group.addTask {
                    try await home.nativeauth("signin", "-u", "ada@example.com", "--password-file", password)
                }
            }
            for try await outcome in group { #expect(outcome.ending == .exit(0), "\(outcome)") }
        }
        _ = try object(try #require(home.read(home.cache)))
        try await home.succeed("token", "--force-refresh")
        try await server?.stop()
    }

    @Test("eight make an account each, in a cache each, beginning with no tenant", arguments: [false, true])
    func manyAccounts(served: Bool) async throws {
        let server = served ? try await home.serve() : nil
        let flags = try (1...8).map { try home.signUpFlags("user\($0)@example.com") }
        try await withThrowingTaskGroup(of: Run.Outcome.self) { group in
            for (index, flags) in flags.enumerated() {
                let cache = home.path + "/cache\(index)"
                group.addTask { try await home.run(flags, environment: ["NATIVEAUTH_CACHE_DIR": cache])() }
            }
            for try await outcome in group { #expect(outcome.ending == .exit(0), "\(outcome)") }
        }
        var subjects: Set<String> = []
        for index in 0..<8 {
            let outcome = try await home.nativeauth(
                "claims", "--json", environment: ["NATIVEAUTH_CACHE_DIR": home.path + "/cache\(index)"])
            let claims = try object(outcome.output)
            #expect(claims.string("email") == "user\(index + 1)@example.com")
            subjects.insert(try #require(claims.string("oid")))
        }
        #expect(subjects.count == 8)
        try await server?.stop()
    }

    @Test("eight sign up with the same address: one has the account, the others are told so")
    func sameAddress() async throws {
        try await home.succeed("tenant", "config", "set", "codes_per_address", "1000")
        // All codes go to one address, so that most take another one's and are refused for that.
        let flags = try home.signUpFlags("ada@example.com")
        let outcomes = try await withThrowingTaskGroup(of: Run.Outcome.self) { group in
            for index in 1...8 {
                let cache = home.path + "/cache\(index)"
                group.addTask {
                    try await home.run(flags, environment: ["NATIVEAUTH_CACHE_DIR": cache])()
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let ends = outcomes.map(\.ending)
        #expect(ends.allSatisfy { $0 == .exit(0) || $0 == .exit(77) }, "\(outcomes)")
        #expect(ends.filter { $0 == .exit(0) }.count <= 1)
        if !ends.contains(.exit(0)) { try await home.signUp("ada@example.com") }
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
    }

    @Test("T72: sixteen ask for tokens that expire at once: all get one")
    func refresh() async throws {
        try await home.succeed("tenant", "config", "set", "access_token_lifetime", "1")
        try await home.signUp("ada@example.com")
        let outcomes = try await withThrowingTaskGroup(of: Run.Outcome.self) { group in
            for _ in 1...16 { group.addTask { try await home.nativeauth("token") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for outcome in outcomes {
            #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)")
            #expect(outcome.output.occurrences(of: ".") == 2)
        }
    }
}
