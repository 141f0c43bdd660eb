// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The log of requests", .inTurns)
struct DebugLogTests {
    let home: Home

    init() throws { home = try Home() }

    private var log: String { home.path + "/log" }
    private static let address = "ada@example.com"

    /// Runs a command with both logs; they have to be the same.
    private func run(
        _ status: Int32, _ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = home.read(log) ?? ""
        let outcome = try await home.run(arguments + ["--debug", "--debug-file", log])()
        #expect(outcome.ending == .exit(status), "\(outcome)", sourceLocation: sourceLocation)
        let lines = (home.read(log) ?? "").dropFirst(before.count)
        #expect(!lines.isEmpty && outcome.errors.hasPrefix(lines), "\(outcome)", sourceLocation: sourceLocation)
    }

    @Test("T48: a sign-up, a sign-in and a reset, with everything wrong once, leave no secret in it")
    func noSecret() async throws {
        let code = ["--otp-command", "nativeauth tenant inbox --code --to \(Self.address)"]
        let country = ["--attribute", "country=Norway"]
        func with(_ password: String) throws -> [String] {
            ["--password-command", "cat '\(try home.write(password.hashValue.description, password))'"]
        }
        let up = ["signup", "-u", Self.address]
        try await run(77, ["signup", "-u", "nonsense"] + with(Home.password) + code)
        try await run(77, up + with("sh0rt") + code)
        try await run(77, up + with(Home.password) + ["--otp-command", "echo 00000000"])
        try await run(
            77, up + with(Home.password) + code + ["--attribute", "country=" + String(repeating: "x", count: 3000)])
        try await run(0, up + with(Home.password) + code + country)
        try await run(77, up + with(Home.password) + code + country)
        let first = try await home.succeed("token")
        try await run(77, ["signin", "-u", "nobody@example.com"] + with("Wr0ng-password"))
        try await run(77, ["signin", "-u", Self.address] + with("Wr0ng-password"))
        try await run(0, ["signin", "-u", Self.address] + with(Home.password))
        let reset = ["reset-password", "-u", Self.address]
        try await run(77, reset + with("N3w-Tr0ub4dor-4") + ["--otp-command", "echo 00000000"])
        try await run(77, reset + with("sh0rt") + code)
        try await run(0, reset + with("N3w-Tr0ub4dor-4") + code)
        try await run(0, ["token", "--force-refresh"])

        let text = try #require(home.read(log))
        for path in ["/signup/v1.0/start", "/signup/v1.0/continue", "/oauth2/v2.0/token", "/resetpassword/v1.0/submit"]
        {
            #expect(text.contains(path), "the log misses \(path)")
        }
        #expect(
            text.contains("error=invalid_grant") && text.contains("code_length=8") && text.contains("status=succeeded"))
        let codes = try await home.succeed("tenant", "inbox").matches(of: /\b[0-9]{8}\b/).map { String($0.output) }
        let secrets = [
            Home.password, "sh0rt", "Wr0ng-password", "N3w-Tr0ub4dor-4", "00000000", "Norway", "xxx", "nobody",
            "nonsense", "@", "eyJ", first, try await home.succeed("token"),
        ]
        #expect(codes.count >= 4)
        for secret in secrets + codes { #expect(!text.contains(secret), "\(secret) is in the log") }
        // Ids are 36 characters long, and every token is longer than the longest word of the protocol.
        let words = text.split { $0.isWhitespace || $0 == "=" || $0 == "+" || $0 == "/" }
        let longest = words.map(\.count).max() ?? 0
        #expect(longest <= 40, "something long is in the log")
    }

    @Test("one line for each request, with its correlation id; the error names the same")
    func lines() async throws {
        let outcome = try await home.nativeauth(
            "signin", "-u", "nobody@example.com", "--json", "--debug-file", log)
        let line = try #require(home.read(log))
        #expect(line.occurrences(of: "\n") == 1)
        let id = try #require(try object(outcome.errors).object("error").string("correlation_id"))
        #expect(line.contains("Z POST /local/oauth2/v2.0/initiate 400 ") && line.contains(" ms id=\(id) "))
        #expect(line.hasSuffix("\n") && line.contains("error=user_not_found"))
    }

    @Test("the variable switches it on", arguments: ["1", "0", ""])
    func variable(value: String) async throws {
        let outcome = try await home.nativeauth(
            "signin", "-u", "nobody@example.com", environment: ["NATIVEAUTH_DEBUG": value])
        #expect(outcome.errors.contains(" POST ") == (value == "1"), "\(outcome)")
    }

    @Test("the file is its owner's alone; others, links and folders are refused: 78")
    func file() async throws {
        let arguments = ["signin", "-u", "nobody@example.com", "--debug-file", log]
        #expect(try await home.run(arguments)().ending == .exit(77))
        let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for script in ["chmod 640 log", "chmod 600 log; ln log other", "rm log; ln -s other log", "rm log; mkdir log"] {
            #expect(try await home.shell("cd; \(script)").ending == .exit(0))
            let outcome = try await home.run(arguments)()
            let isFolder = script.hasSuffix("mkdir log")
            #expect(outcome.ending == .exit(isFolder ? 73 : 78), "\(script): \(outcome)")
            #expect(outcome.errors.contains(log), "\(outcome)")
        }
        #expect(home.read(home.path + "/other")?.occurrences(of: "\n") == 1, "nothing was added to it")
    }

    @Test("a log that cannot be written is said, and changes nothing else")
    func full() async throws {
        try await home.signUp(Self.address)
        var run = home.run(["token", "--force-refresh", "--debug"])
        run.errors = .file("/dev/full")
        let outcome = try await run()
        #expect(outcome.ending == .exit(0) && outcome.output.hasPrefix("eyJ"))
    }
}
