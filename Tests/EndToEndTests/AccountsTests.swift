// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Several accounts", .inTurns)
struct AccountsTests {
    let home: Home

    init() throws { home = try Home() }

    private func whoami() async throws -> String { try await home.succeed("whoami") }

    @Test("who signs in is meant from then on; switch, --account and NATIVEAUTH_ACCOUNT choose another")
    func choice() async throws {
        try await home.signUp("ada@example.com")
        try await home.signUp("bo@example.com")
        #expect(try await home.succeed("accounts") == "* bo@example.com\n  ada@example.com\n")
        #expect(try await home.succeed("whoami", "--account", "ADA@example.com") == "ada@example.com\n")
        let named = try await home.nativeauth("whoami", environment: ["NATIVEAUTH_ACCOUNT": "ada@example.com"])
        #expect(named.output == "ada@example.com\n")
        let tokens = try await (
            home.succeed("token", "--json", "--account", "ada@example.com"), home.succeed("token", "--json")
        )
        #expect(try object(tokens.0).object("account").string("username") == "ada@example.com")
        #expect(try object(tokens.1).object("account").string("username") == "bo@example.com")
        #expect(try await home.nativeauth("switch").errors == "Commands mean ada@example.com now.\n")
        #expect(try await whoami() == "ada@example.com\n")
        let id = try #require(try object(tokens.1).object("account").string("id"))
        try await home.succeed("switch", id, "-q")
        #expect(try await whoami() == "bo@example.com\n")
        let list = try object(try await home.succeed("accounts", "--json"))["accounts"] as? [[String: Any]] ?? []
        #expect(list.map { $0["active"] as? Bool } == [true, false])
        #expect(list.first?.string("id") == id)
    }

    @Test("signing one out leaves the other, and everybody can be signed out")
    func signOut() async throws {
        for name in ["ada", "bo", "cy"] { try await home.signUp("\(name)@example.com") }
        let outcome = try await home.nativeauth("signout")
        #expect(outcome.errors == "Signed out cy@example.com.\nCommands mean ada@example.com now.\n", "\(outcome)")
        try await home.succeed("signout", "--account", "bo@example.com")
        #expect(try await home.succeed("accounts") == "* ada@example.com\n")
        try await home.signUp("dan@example.com")
        #expect(try await home.nativeauth("signout", "--all").errors == "Signed everybody out.\n")
        #expect(try await home.succeed("accounts").isEmpty)
        #expect(home.read(home.cache) == nil, "nothing is left")
        try await home.signUp("eve@example.com")
        let named = try await home.nativeauth("signout", environment: ["NATIVEAUTH_ACCOUNT": "eve@example.com"])
        #expect(named.ending == .exit(0) && named.errors == "Signed out eve@example.com.\n", "\(named)")
    }

    @Test("an account that is not signed in, and a choice that is none, are said so")
    func mistakes() async throws {
        #expect(try await home.nativeauth("switch").ending == .exit(4))
        try await home.signUp("ada@example.com")
        let single = try await home.nativeauth("switch")
        #expect(single.ending == .exit(1) && single.errors.contains("Only ada@example.com is signed in."))
        for command in ["token", "whoami", "claims", "status", "signout"] {
            let outcome = try await home.nativeauth(command, "--account", "nobody")
            #expect(outcome.ending == .exit(4) && outcome.output.isEmpty, "\(command): \(outcome)")
            #expect(outcome.errors.contains("'nobody' is not signed in with the profile 'local'."), "\(outcome)")
        }
        #expect(try await home.nativeauth("signout", "--all", "--account", "x").ending == .exit(64))
        for name in ["bo", "cy"] { try await home.signUp("\(name)@example.com") }
        let several = try await home.nativeauth("switch")
        #expect(several.ending == .exit(64) && several.errors.contains("3 accounts are signed in: say which one."))
        #expect(try await whoami() == "cy@example.com\n")
    }

    @Test("T74: a refresh of one account and a switch to another do not disturb each other")
    func refreshAndSwitch() async throws {
        try await home.signUp("ada@example.com")
        try await home.signUp("bo@example.com")
        let home = home
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                let name = number % 2 == 0 ? "ada@example.com" : "bo@example.com"
                group.addTask { try await home.succeed("token", "--force-refresh", "--account", name) }
                group.addTask { try await home.succeed("switch", name) }
            }
            try await group.waitForAll()
        }
        #expect(try await home.succeed("accounts").split(separator: "\n").count == 2)
        for name in ["ada@example.com", "bo@example.com"] {
            try await home.succeed("token", "--force-refresh", "--account", name)
        }
    }

    @Test("status tells who, why not, and what happened last")
    func history() async throws {
        try await home.signUp("ada@example.com")
        try await home.succeed("token", "--force-refresh")
        try await home.succeed("tenant", "user", "delete", "ada@example.com")
        let refused = try await home.nativeauth("token", "--force-refresh")
        #expect(refused.ending == .exit(4), "\(refused)")
        let outcome = try await home.nativeauth("status", "--json")
        let status = try object(outcome.output)
        let events = status["events"] as? [[String: Any]] ?? []
        #expect(events.compactMap { $0.string("event") } == ["signed_in", "refreshed", "refused"], "\(outcome)")
        #expect(events.last?.string("error") == "invalid_grant")
        let id = try #require(events.last?.string("correlation_id"))
        let text = try await home.nativeauth("status").output
        #expect(text.contains("Last event") && text.contains("refused: invalid_grant"), "\(text)")
        #expect(text.contains("correlation id \(id)"))
    }
}
