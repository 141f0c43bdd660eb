// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// A command is killed at its changes to files. Afterwards an account is there as a whole or not at all, a password is the
/// old one or the new one, and nothing else is hurt. By default a sample of the changes, with `NATIVEAUTH_SOAK` in the environment each of them.
@Suite("Killed at a write", .inTurns)
struct KillSweepTests {
    /// What the sign-up begins with.
    enum Beginning: String, CaseIterable {
        case noTenant
        case freshTenant

        /// So that the two samples are of different moments.
        var offset: Int { self == .noTenant ? 1 : 8 }
    }

    static let isWhole = ProcessInfo.processInfo.environment["NATIVEAUTH_SOAK"] != nil
    private static let address = "ada@example.com"

    @Test("F1: leaves the account whole or absent, and the tenant sound", arguments: Beginning.allCases)
    func sweep(beginning: Beginning) async throws {
        let template = try Home(beginning == .noTenant ? .fresh : .hasTenant)
        let unharmed = try await signUp(in: Home(copyOf: template), killedAt: 0)
        try #require(unharmed.outcome.ending == .exit(0), "\(unharmed.outcome)")
        try #require(unharmed.changes > 50, "the changes are not counted")

        try await sweep(unharmed.changes, from: beginning.offset) { number in
            try await check(Home(copyOf: template), killedAt: number)
        }
    }

    @Test("F1: leaves the old password or the new one, and the session with it")
    func reset() async throws {
        let template = try Home()
        try await template.signUp(Self.address)
        try FileManager.default.removeItem(atPath: template.passwordFile())
        let unharmed = try await reset(in: Home(copyOf: template), killedAt: 0)
        try #require(unharmed.outcome.ending == .exit(0), "\(unharmed.outcome)")
        try #require(unharmed.changes > 50, "the changes are not counted")
        try await sweep(unharmed.changes, from: 5) { number in
            try await checkReset(Home(copyOf: template), killedAt: number)
        }
    }

    /// Kills at each of so many changes, or at a sample of them.
    ///
    /// - Parameter check: Kills one command and looks at what it left; returns whether there was such a change.
    private func sweep(_ changes: Int, from offset: Int, _ check: @escaping @Sendable (Int) async throws -> Bool)
        async throws
    {
        let all = 1...changes + 5  // their number varies a little
        let chosen = Self.isWhole ? Array(all) : Array(stride(from: offset, through: all.upperBound, by: 15))
        let killed = try await withThrowingTaskGroup(of: Bool.self) { group in
            var killed = 0
            for (index, number) in chosen.enumerated() {
                if index >= 3, try await group.next() == true { killed += 1 }
                group.addTask { try await check(number) }
            }
            for try await wasKilled in group where wasKilled { killed += 1 }
            return killed
        }
        #expect(killed >= chosen.count - 10)
    }

    private static let newPassword = "An0ther-salmon-9"

    private func reset(in home: Home, killedAt number: Int) async throws -> (outcome: Run.Outcome, changes: Int) {
        try await home.run(
            [
                "reset-password", "-u", Self.address, "--password-file", try home.write("new", Self.newPassword),
                "--otp-command", "nativeauth tenant inbox --code --to \(Self.address)",
            ]
        ).killed(atChange: number)
    }

    private func checkReset(_ home: Home, killedAt number: Int) async throws -> Bool {
        let (outcome, _) = try await reset(in: home, killedAt: number)
        let moment: Comment = "killed at change \(number): \(outcome)"
        #expect(outcome.ending == .signal(SIGKILL) || outcome.ending == .exit(0), moment)
        #expect(try await home.integrity() == "ok\n", moment)
        // The session that was there lives as long as its password, and no new one has taken its place then.
        let refresh = try await home.nativeauth("token", "--force-refresh")
        var statuses: [Ending] = []
        for file in [try home.passwordFile(), home.path + "/new"] {
            statuses.append(
                try await home.nativeauth("signin", "-u", Self.address, "--password-file", file).ending)
        }
        #expect(statuses == [.exit(0), .exit(77)] || statuses == [.exit(77), .exit(0)], moment)
        if statuses.first == .exit(0) { #expect(refresh.ending == .exit(0), "\(moment) then \(refresh)") }
        return outcome.ending == .signal(SIGKILL)
    }

    private func signUp(in home: Home, killedAt number: Int) async throws -> (outcome: Run.Outcome, changes: Int) {
        try await home.run(try home.signUpFlags(Self.address)).killed(atChange: number)
    }

    /// Kills one sign-up and looks at what it left; returns whether there was such a change.
    private func check(_ home: Home, killedAt number: Int) async throws -> Bool {
        let (outcome, _) = try await signUp(in: home, killedAt: number)
        let moment: Comment = "killed at change \(number): \(outcome)"
        let wasKilled = outcome.ending == .signal(SIGKILL)
        #expect(wasKilled || outcome.ending == .exit(0), moment)

        if let cache = home.read(home.cache) { _ = try object(cache) }
        let opened = try await home.nativeauth("tenant", "config", "get", "tenant_id")
        #expect(opened.ending == .exit(0), "\(moment) then \(opened)")
        #expect(try await home.integrity() == "ok\n", moment)

        let again = try await home.run(try home.signUpFlags(Self.address))()
        if again.ending == .exit(77) {
            #expect(again.errors.contains("An account with this address exists already."), "\(moment) then \(again)")
            let signIn = try await home.nativeauth(
                "signin", "-u", Self.address, "--password-file", try home.passwordFile())
            #expect(signIn.ending == .exit(0), "\(moment) then \(signIn)")
        } else {
            #expect(again.ending == .exit(0), "\(moment) then \(again)")
        }
        let claims = try object(await home.succeed("claims", "--json"))
        #expect(claims.string("email") == Self.address && claims.string("country") == "Norway", moment)
        return wasKilled
    }
}

extension Home {
    /// A home of its own with the same files.
    convenience init(copyOf other: Home) throws {
        try self.init(.fresh)
        for name in other.names(in: other.path) {
            try FileManager.default.copyItem(atPath: other.path + "/" + name, toPath: path + "/" + name)
        }
    }

    /// What SQLite itself says about the tenant's database.
    func integrity() async throws -> String {
        let script =
            "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('PRAGMA integrity_check').fetchone())"
        let outcome = try await Run(
            "/usr/bin/python3", ["-c", script, tenantFolder + "/tenant.db"], environment: environment)()
        return outcome.output + outcome.errors
    }
}
