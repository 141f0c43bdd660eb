// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// What `tenant serve --unsafe-test-mode` does for those who test against it.
@Suite("Test mode", .inTurns)
struct TestModeTests {
    let home: Home
    private let ada = "ada@shop.test"

    init() throws { home = try Home() }

    private func signUp(_ address: String, code: String) async throws -> Run.Outcome {
        try await home.nativeauth(
            "signup", "--username", address, "--password-file", try home.passwordFile(), "--attribute",
            "country=Norway", "--otp-command", "echo \(code)")
    }

    @Test("Rule 15: known codes are for loopback and reserved addresses, and announced")
    func codes() async throws {
        for listen in ["0.0.0.0:0", "[::]:0"] {
            let outcome = try await home.nativeauth(
                "tenant", "serve", "--listen", listen, "--tls-self-signed", "--unsafe-test-mode")
            #expect(outcome.ending == .exit(64) && outcome.errors.contains("this machine alone"), "\(outcome)")
        }
        let served = try await home.serve("--unsafe-test-mode")
        #expect(await served.session.transcript.contains("TEST MODE"))
        #expect(try await signUp(ada, code: "12345678").ending == .exit(0))
        // Somebody could have this address.
        #expect(try await signUp("bo@example.com", code: "12345678").ending != .exit(0))
        try await served.stop()
    }

    @Test("Rule 15: without test mode no code is known, and nothing of it can be asked for")
    func withoutIt() async throws {
        let served = try await home.serve()
        #expect(try await signUp(ada, code: "12345678").ending != .exit(0))
        let calls = [
            ["clock"], ["clock", "--advance", "1h"], ["fault", "add", "*", "--drop-answer"], ["fault", "list"],
            ["fault", "clear"], ["journal"],
        ]
        for call in calls {
            let outcome = try await home.run(["tenant"] + call)()
            #expect(outcome.ending == .exit(69) && outcome.errors.contains("not served in test mode"), "\(outcome)")
        }
        try await served.stop()
    }

    @Test("the clock is moved on, and what lives by it ends")
    func clock() async throws {
        let served = try await home.serve("--unsafe-test-mode")
        let before = try await home.succeed("tenant", "clock")
        let after = try await home.succeed("tenant", "clock", "--advance", "40m")
        let style = Date.ISO8601FormatStyle()
        let gap = try style.parse(after.trimmingCharacters(in: .newlines))
            .timeIntervalSince(style.parse(before.trimmingCharacters(in: .newlines)))
        #expect((2400...2520).contains(gap))
        let late = try await home.nativeauth(
            "signup", "--profile", "local-code", "--username", "bo@example.com", "--attribute", "country=Norway",
            "--otp-command",
            "nativeauth tenant clock --advance 40m >&2; nativeauth tenant inbox --code --to bo@example.com")
        #expect(late.ending != .exit(0), "\(late)")

        let reset = try await home.succeed("tenant", "clock", "--reset")
        #expect(try style.parse(reset.trimmingCharacters(in: .newlines)).timeIntervalSinceNow < 60)
        try await served.stop()
    }

    @Test("Rule 83: a tenant whose clock is far off is told by that")
    func clocksApart() async throws {
        let served = try await home.serve("--unsafe-test-mode")
        #expect(try await signUp(ada, code: "12345678").ending == .exit(0))
        try await home.succeed("tenant", "clock", "--advance", "2h")
        let outcome = try await home.nativeauth("token", "--force-refresh")
        #expect(outcome.ending != .exit(0) && outcome.errors.contains("clock"), "\(outcome)")
        try await served.stop()
    }

    @Test("an answer that is dropped costs nothing: the session goes on")
    func droppedAnswer() async throws {
        let served = try await home.serve("--unsafe-test-mode")
        #expect(try await signUp(ada, code: "12345678").ending == .exit(0))
        for fault in ["--drop-answer", "--drop-request"] {
            try await home.succeed("tenant", "fault", "add", "/oauth2/v2.0/token", fault)
            try await home.succeed("token", "--force-refresh")
            #expect(try await home.succeed("tenant", "fault", "list").isEmpty)
        }
        let journal = try await home.succeed("tenant", "journal")
        #expect(journal.components(separatedBy: "\ndropped POST /local/oauth2/v2.0/token ").count == 3, "\(journal)")
        try await served.stop()
    }

    @Test("a refusal that was asked for is met so often, and then no more")
    func refusal() async throws {
        let served = try await home.serve("--unsafe-test-mode")
        try await home.succeed("tenant", "fault", "add", "keys", "--refuse", "503", "--times", "2")
        let status = "curl -s -o /dev/null -w '%{http_code}' \(served.url)/discovery/v2.0/keys"
        for expected in ["503", "503", "200"] { #expect(try await home.shell(status).output == expected) }
        try await home.succeed("tenant", "fault", "add", "*", "--delay", "50ms")
        #expect(try await home.succeed("tenant", "fault", "list") == "*\tdelay 50ms\t1\n")
        try await home.succeed("tenant", "fault", "clear")
        #expect(try await home.succeed("tenant", "fault", "list").isEmpty)
        for wrong in [["*"], ["*", "--drop-answer", "--drop-request"], ["*", "--refuse", "200"]] {
            #expect(try await home.run(["tenant", "fault", "add"] + wrong)().ending == .exit(64))
        }
        try await served.stop()
    }

    @Test("the journal tells what was asked, and no secret")
    func journal() async throws {
        let served = try await home.serve("--unsafe-test-mode")
        #expect(try await signUp(ada, code: "12345678").ending == .exit(0))
        let text = try await home.succeed("tenant", "journal", "--json")
        let entries = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let paths = entries.compactMap {
            ($0["path"] as? String)?.split(separator: "/").dropFirst().joined(separator: "/")
        }
        #expect(
            Array(paths.prefix(4)) == [
                "signup/v1.0/start", "signup/v1.0/challenge", "signup/v1.0/continue", "oauth2/v2.0/token",
            ])
        let start = entries.first?["fields"] as? [String: String]
        #expect(start?["username"] == ada && start?["password"] == "…")
        for secret in [Home.password, "12345678\""] { #expect(!text.contains(secret)) }
        try await served.stop()
    }
}
