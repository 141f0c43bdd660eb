// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// The mail server is unwell in nine ways, and nothing is lost.
@Suite("A mail server that is unwell", .inTurns)
struct MailFaultTests {
    let home: Home

    init() throws { home = try Home() }

    /// It refuses connections; greets with 421; answers 451 or 550 to the recipient; falls silent after DATA; hangs up before
    /// its last 250; has no STARTTLS; has a certificate of a stranger; drips.
    private static let ways = ["refuse", "busy", "later", "never", "hang", "cut", "plain", "stranger", "drip"]
    /// All of them in a soak, and some by default.
    private static let someWays =
        ProcessInfo.processInfo.environment["NATIVEAUTH_SOAK"] == nil ? Array(ways.shuffled().prefix(3)) : ways

    private func begin(_ way: String) async throws -> MailServer {
        let server = try await MailServer.unwell(way, home: home)
        try await home.sendMail(by: server, ["smtp_timeout": "2"])
        return server
    }

    /// Waits until an attempt has met the fault.
    private func metFault(_ way: String, _ server: MailServer) async throws {
        if way != "refuse" {
            try await server.session.expect("fault\r\n", timeout: .seconds(60))
            return
        }
        _ = try await home.outbox { $0.first?["attempts"] as? Int ?? 0 > 0 }
    }

    @Test("F9: the answer comes at once, and the mail when the server is well again", arguments: ways)
    func recovers(_ way: String) async throws {
        let server = try await begin(way)
        let tenant = try await home.serve()
        var signUp = try await PlainSignUp(home, at: tenant.url)
        try await signUp.askForCode(at: tenant.url)
        try await metFault(way, server)
        if way == "never" {
            let given = try await home.outbox { $0.first?["state"] as? String == "abandoned" }[0]
            #expect(given.string("reason") == "refused" && given.string("last_error") == "recipient_refused")
            #expect(given.string("server_reply")?.hasPrefix("550") == true && given.string("to") == "ada@example.com")
        }
        try await server.tell("well", until: "healed")
        // What was given up for good does not come, but another code does.
        if way == "never" { try await signUp.askForCode(at: tenant.url) }
        let mail = try await server.taken()
        #expect(mail.recipients == "ada@example.com")
        #expect(await server.ids == [mail.id], "a mail that comes twice can be told")
        try await signUp.give(mail.code, at: tenant.url)
        try await tenant.stop()
        try await home.succeed("tenant", "check")
        #expect(try await home.outbox().count == (way == "never" ? 1 : 0))
        try await server.end()
    }

    @Test(
        "F9 and rule 113: a server that is killed in the middle sends the mail after its next start",
        arguments: someWays)
    func killed(_ way: String) async throws {
        let server = try await begin(way)
        try await server.tell("hold", until: "holds")
        let first = try await home.serve()
        var signUp = try await PlainSignUp(home, at: first.url)
        // Rule 31: the mail server keeps still from here on, and the answer does not wait for it.
        try await signUp.askForCode(at: first.url)
        try await metFault(way, server)
        await first.session.signal(SIGKILL)
        #expect(try await first.session.finish(timeout: .seconds(60)) == .signal(SIGKILL))
        try await server.tell("well", until: "healed")
        let second = try await home.serve()
        let mail = try await server.taken()
        #expect(await server.ids == [mail.id])
        try await signUp.give(mail.code, at: second.url)
        try await second.stop()
        try await home.succeed("tenant", "check")
        try await server.end()
    }

    @Test("F9: a code whose mail never left ends with it, and the owner sees why")
    func givenUp() async throws {
        let server = try await begin("refuse")
        let tenant = try await home.serve("--unsafe-test-mode")
        var signUp = try await PlainSignUp(home, at: tenant.url)
        try await signUp.askForCode(at: tenant.url)
        try await metFault("refuse", server)
        try await home.succeed("tenant", "clock", "--advance", "10m")
        let given = try await home.outbox { $0.first?["state"] as? String == "abandoned" }[0]
        #expect(given.string("reason") == "expired" && given.string("last_error") == "no_connection")
        let shown = try await home.succeed("tenant", "outbox", "list")
        #expect(
            shown.hasPrefix("1\tada@example.com\tGiven up after ")
                && shown.hasSuffix("its code is good no longer. Nobody answers at the mail server's address.\n"),
            "\(shown)")
        try await tenant.stop()
        try await home.succeed("tenant", "check")
        try await server.end()
    }
}
