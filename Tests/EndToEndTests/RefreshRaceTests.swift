// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Processes that share a session", .inTurns)
struct RefreshRaceTests {
    let home: Home

    init() throws { home = try Home() }

    private var log: String { home.path + "/log" }
    private var accounts: String { home.configFolder + "/accounts" }

    /// Signs in with an access token that has expired when it arrives; what comes later lasts an hour.
    private func signUpWithExpiredToken() async throws {
        try await home.succeed("tenant", "config", "set", "access_token_lifetime", "1")
        try await home.signUp("ada@example.com")
        try await home.succeed("tenant", "config", "set", "access_token_lifetime", "3600")
    }

    private func together(_ commands: [[String]]) async throws -> [Run.Outcome] {
        try await withThrowingTaskGroup(of: Run.Outcome.self) { group in
            for arguments in commands { group.addTask { try await home.run(arguments)() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("T72: F21: sixteen want a token that has expired: one asks the tenant, and all have the same token")
    func oneRefresh() async throws {
        try await signUpWithExpiredToken()
        let outcomes = try await together(Array(repeating: ["token", "--debug-file", log], count: 16))
        for outcome in outcomes { #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)") }
        #expect(Set(outcomes.map(\.output)).count == 1)
        let requests = try #require(home.read(log))
        #expect(requests.occurrences(of: "\n") == 1 && requests.contains("grant_type=refresh_token"), "\(requests)")
        try await home.succeed("tenant", "check")
    }

    /// How often: fifty times where every sweep is whole.
    private static let rounds = ProcessInfo.processInfo.environment["NATIVEAUTH_SOAK"] == nil ? 2 : 50

    @Test(
        "Rule 86: T72 T73, a hundred that want an expired token cause one refresh, where a spent one ends the session")
    func hundred() async throws {
        try await signUpWithExpiredToken()
        try await home.succeed("tenant", "config", "set", "refresh_token_reuse", "strict")
        let server = try await home.serve()
        for round in 1...Self.rounds {
            try home.expireAccessToken(in: -3600)
            let outcomes = try await together(Array(repeating: ["token", "--json"], count: 100))
            let answers = try outcomes.map { outcome in
                #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "round \(round): \(outcome)")
                return try object(outcome.output)
            }
            #expect(answers.count { $0["refreshed"] as? Bool == true } == 1, "round \(round)")
            #expect(Set(answers.compactMap { $0.string("access_token") }).count == 1, "round \(round)")
        }
        try await home.succeed("token", "--force-refresh")
        try await server.stop()
    }

    @Test("T73: a chain of refreshes always uses the newest refresh token, so that a tenant may revoke the older ones")
    func newestToken() async throws {
        try await home.signUp("ada@example.com")
        var seen: Set<String> = []
        for _ in 1...3 {
            let cache = try object(try #require(home.read(home.cache)))
            let entries = cache.object("RefreshToken").compactMap { ($0.value as? [String: Any])?.string("secret") }
            #expect(entries.count == 1 && seen.insert(entries[0]).inserted, "each refresh brings another one")
            let outcomes = try await together(Array(repeating: ["token", "--force-refresh"], count: 4))
            #expect(outcomes.allSatisfy { $0.ending == .exit(0) }, "\(outcomes)")
        }
    }

    @Test("T74: who signs out while others refresh is signed out")
    func signOut() async throws {
        try await home.signUp("ada@example.com")
        let refreshes = Array(repeating: ["token", "--force-refresh"], count: 6)
        let outcomes = try await together(refreshes + [["signout"]] + refreshes)
        for outcome in outcomes {
            #expect(outcome.ending == .exit(0) || outcome.ending == .exit(4), "\(outcome)")
        }
        let last = try await home.nativeauth("token")
        #expect(last.ending == .exit(4), "nobody comes back: \(last)")
        #expect(home.read(home.cache)?.contains("eyJ") != true)
    }

    /// A refresh that holds the lock and waits for a tenant that does not answer.
    private func stuckRefresh() async throws -> (server: ServedTenant, holder: TerminalSession) {
        try await home.signUp("ada@example.com")
        let server = try await home.serve()
        let token = try await home.succeed("token", "--force-refresh")
        #expect(!token.isEmpty)
        await server.session.signal(SIGSTOP)
        let holder = try home.session("token", "--force-refresh")
        // `flock -n` fails as soon as somebody has the lock.
        let waiting = try await home.shell("while flock -n '\(accounts)/local.lock' true; do :; done")
        #expect(waiting.ending == .exit(0))
        return (server, holder)
    }

    @Test("T75: a holder of the lock that is killed in the middle of a refresh is in nobody's way")
    func killedHolder() async throws {
        let (server, holder) = try await stuckRefresh()
        await holder.signal(SIGKILL)
        let outcome = try await home.nativeauth("signout", "--local-only")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.duration < .seconds(10), "it did not wait for the lock's twenty seconds")
        await server.session.signal(SIGCONT)
        try await server.stop()
    }

    @Test("T76: a holder of the lock that is stopped: others give up with 75, and never refresh without it")
    func stoppedHolder() async throws {
        let (server, holder) = try await stuckRefresh()
        await holder.signal(SIGSTOP)
        let outcome = try await home.nativeauth("token", "--force-refresh", "--debug-file", log)
        #expect(outcome.ending == .exit(75), "\(outcome)")
        #expect(outcome.errors.contains("Another process holds the lock"))
        #expect(home.read(log) == "", "no request was made")
        await server.session.signal(SIGCONT)
        await holder.signal(SIGCONT)
        try await holder.expect("eyJ", timeout: .seconds(60))
        #expect(try await holder.finish() == .exit(0))
        try await server.stop()
    }

    @Test("T77: killed between the tenant's answer and the file: the session goes on")
    func lostAnswer() async throws {
        try await home.signUp("ada@example.com")
        let refresh = home.run(["token", "--force-refresh"])
        let (whole, changes) = try await refresh.killed(atChange: 0)
        try #require(whole.ending == .exit(0) && changes > 4, "\(whole)")
        // The tenant's own changes come first; those of the cache are the last ones.
        for number in stride(from: changes, to: max(1, changes - 8), by: -1) {
            let (killed, _) = try await refresh.killed(atChange: number)
            #expect(killed.ending == .signal(SIGKILL) || killed.ending == .exit(0), "\(killed)")
            let after = try await home.nativeauth("token", "--force-refresh")
            #expect(after.ending == .exit(0), "killed at change \(number) of \(changes): \(after)")
        }
    }

    @Test("T78: who is refused does not take away what another has got meanwhile")
    func loser() async throws {
        try await home.signUp("ada@example.com")
        let old = try #require(home.read(home.cache))
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        let new = try #require(home.read(home.cache))
        // The old session ends at the tenant. Whoever has its tokens in memory only gets a refusal for himself.
        let other = home.path + "/other"
        try home.write("other/local.json", old)
        #expect(try await home.shell("chmod 700 '\(other)' && chmod 600 '\(other)/local.json'").ending == .exit(0))
        let folder = ["NATIVEAUTH_CACHE_DIR": other]
        let reset = try await home.nativeauth(
            "reset-password", "-u", "ada@example.com", "--password-command", "echo N3w-Tr0ub4dor-4", "--otp-command",
            "nativeauth tenant inbox --code --to ada@example.com")
        #expect(reset.ending == .exit(0), "\(reset)")
        let loser = try await home.nativeauth("token", "--force-refresh", environment: folder)
        #expect(loser.ending == .exit(4), "\(loser)")
        #expect(home.read(home.cache) != new)
        try await home.succeed("token", "--force-refresh")
    }

    @Test("T79: programs that are started get no file of ours")
    func descriptors() async throws {
        let look = "for f in /proc/$$/fd/*; do readlink $f; done >>'\(home.path)/seen'; "
        let password = try home.passwordFile()
        let outcome = try await home.nativeauth(
            "signup", "-u", "ada@example.com", "--password-command", look + "cat '\(password)'", "--attribute",
            "country=Norway", "--debug-file", log, "--otp-command",
            look + "nativeauth tenant inbox --code --to ada@example.com")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let seen = try #require(home.read(home.path + "/seen"))
        #expect(!seen.isEmpty)
        for place in [home.configFolder, home.tenantFolder, home.path + "/.local", log] {
            #expect(!seen.contains(place), "\(seen)")
        }
    }

    @Test("T80: profiles do not block each other")
    func profiles() async throws {
        try await home.signUp("ada@example.com")
        try await home.signUpWithCode("eve@example.com")
        let outcome = try await home.shell(
            "exec flock '\(accounts)/local.lock' nativeauth token --force-refresh --profile local-code")
        #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.duration < .seconds(15))
    }
}
