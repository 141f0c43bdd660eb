// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The exit codes that are documented", .inTurns)
struct DocumentedCodeTests {
    let home: Home

    init() throws { home = try Home() }

    /// The numbers in the first column of a table of the topic.
    private func documented(_ heading: String) async throws -> Set<Int32> {
        let lines = try await home.succeed("help", "exit-codes").split(
            separator: "\n", omittingEmptySubsequences: false)
        let rows = lines.drop { $0 != heading + ":" }.dropFirst().prefix { !$0.isEmpty }
        return Set(rows.compactMap { Int32($0.split(separator: " ").first ?? "") })
    }

    private func run(_ arguments: String..., environment: [String: String?] = [:]) async throws -> Run.Outcome {
        try await home.run(arguments, environment: environment)()
    }

    /// Ends once with each number: the first column is what is expected.
    private func endings() async throws -> [(code: Int32, outcome: Run.Outcome)] {
        let flags = try home.signUpFlags("ada@example.com")
        let port = try ClosedPort()
        let liar = try LyingServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
        defer { withExtendedLifetime((port, liar)) {} }
        func remote(_ address: String) async throws -> Run.Outcome {
            try await run("signin", "-u", "ada@example.com", "--authority", address, "--client-id", "x")
        }
        var full = home.run(["help"])
        full.output = .file("/dev/full")
        var found: [(Int32, Run.Outcome)] = [
            (0, try await run("--version")), (1, try await run("doctor", environment: ["NATIVEAUTH_NOPE": "1"])),
            (4, try await run("token")), (64, try await run("nope")),
            (
                66,
                try await run(
                    "signup", "-u", "ada@example.com", "--password-file", "/nonexistent", "--otp-command", "true")
            ),
            (68, try await remote("https://nonexistent.invalid/t")),
            (69, try await remote("http://127.0.0.1:\(port.number)/t")), (70, try await otherProgramIsNone()),
            (73, try await home.run(flags, environment: ["NATIVEAUTH_CONFIG_DIR": "/dev/null/x"])()),
            (74, try await full()), (76, try await remote(liar.address)),
            (77, try await run("signin", "-u", "eve@example.com", "--password-command", "echo x")),
            (78, try await run("token", "--profile", "nope")), (126, try await run("exec", "/etc/passwd")),
            (127, try await run("exec", "no-such-program")),
        ]
        try home.write(".config/nativeauth/accounts/local.json", "no JSON")
        found.append((65, try await run("token")))
        try await home.signUpWithCode("ada@example.com")
        try await home.succeed("tenant", "config", "set", "codes_per_address", "1")
        found.append(
            (75, try await run("signin", "--profile", "local-code", "-u", "ada@example.com", "--otp-command", "true")))
        return found
    }

    private func otherProgramIsNone() async throws -> Run.Outcome {
        let program = home.path + "/bin/nativeauth"
        let source = try BuiltProgram.path("nativeauth")
        // Copied by another process: one that this process forks meanwhile would hold the copy open for writing.
        let script = "mkdir '\(home.path)/bin' && cp '\(source)' '\(program)' && echo no >'\(program)-tenant'"
        #expect(try await home.shell(script + " && chmod 755 '\(program)-tenant'").ending == .exit(0))
        return try await Run(program, ["tenant", "inbox"], environment: home.environment)()
    }

    @Test("T87: each number comes")
    func produced() async throws {
        let endings = try await endings()
        for (code, outcome) in endings { #expect(outcome.ending == .exit(code), "\(outcome)") }
        #expect(Set(endings.map(\.code)) == (try await documented("Exit codes")))
    }

    @Test("T87: each signal ends a command that waits at a question, as a signal")
    func signals() async throws {
        let numbers = try await documented("Signals")
        #expect(numbers == [129, 130, 131, 141, 143])
        var unread = home.run(["help"])
        unread.output = .broken
        #expect(try await unread().ending == .signal(SIGPIPE))
        for number in numbers where number != 128 + SIGPIPE {
            let session = try home.session("signup")
            try await session.expect("Email")
            await session.signal(number - 128)
            #expect(try await session.finish() == .signal(number - 128))
            #expect(await session.modes == session.initialModes, "the terminal is not as it was after \(number)")
        }
    }

    @Test("T87: the page about scripting has the same tables, word for word")
    func page() async throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/scripting.md").standardized
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let rows = lines.compactMap {
            $0.wholeMatch(of: #/\| (\d+) \| (.*) \|/#).map { "\($0.output.1) \($0.output.2)" }
        }
        #expect(rows.count > 15)
        let help = try await home.succeed("help", "exit-codes").split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        for row in rows { #expect(help.contains(" " + row), "\(row)") }
        let documented = try await documented("Exit codes").union(documented("Signals"))
        #expect(Set(rows.compactMap { $0.split(separator: " ").first.flatMap { Int32($0) } }) == documented)
    }

    @Test("T87: the numbers in the README are among them")
    func readme() async throws {
        let file = URL(filePath: #filePath).appending(path: "../../../README.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8).replacing("\n", with: " ")
        let sentence = try #require(text.firstMatch(of: #/Exit codes are stable: (.*?);/#))
        let numbers = sentence.output.1.split(separator: ", ").compactMap { Int32($0.split(separator: " ")[0]) }
        #expect(numbers.count >= 5)
        #expect(Set(numbers).isSubset(of: try await documented("Exit codes")))
    }
}
