// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("What is missing is named, at once", .inTurns)
struct MissingAnswerTests {
    let home: Home

    init() throws { home = try Home() }

    /// What is given, and the flag that is missing.
    static let cases: [(given: [String], missing: String)] = [
        (["signup"], "--username and --otp-command are"),
        (["signup", "-u", "ada@example.com"], "--otp-command is"),
        (["signup", "-u", "ada@example.com", "--otp-command", "INBOX"], "--password-file is"),
        (
            ["signup", "-u", "ada@example.com", "--otp-command", "INBOX", "--password-command", "PASSWORD"],
            "--attribute country=VALUE is"
        ),
        (
            ["signup", "--profile", "local-code", "-u", "ada@example.com", "--otp-command", "INBOX"],
            "--attribute country=VALUE is"
        ),
        (["signin"], "--username is"),
        (["signin", "--profile", "local-code"], "--username is"),
        (["reset-password"], "--username, --otp-command and --password-file are"),
        (["reset-password", "-u", "ada@example.com", "--otp-stdin"], "--password-file is"),
    ]

    private func words(_ given: [String]) -> [String] {
        let commands = ["INBOX": "nativeauth tenant inbox --code", "PASSWORD": "echo Any-passw0rd"]
        return given.map { commands[$0] ?? $0 }
    }

    private func check(_ outcome: Run.Outcome, _ missing: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(outcome.ending == .exit(64), "\(outcome)", sourceLocation: sourceLocation)
        #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
        #expect(
            outcome.errors.contains("\(missing) missing, and there is nobody to ask."), "\(outcome)",
            sourceLocation: sourceLocation)
    }

    @Test("T49: without a terminal, whatever standard input is", arguments: cases.indices, [0, 1, 2])
    func noTerminal(index: Int, kind: Int) async throws {
        let given = Self.cases[index]
        var run = home.run(words(given.given))
        run.input = [Run.Input.null, .closed, .idle][kind]
        // It waits for nothing, so this is for a debug build on a busy machine.
        run.timeout = .seconds(30)
        check(try await run(), given.missing)
    }

    @Test("the password of a sign-in, and its code")
    func signIn() async throws {
        try await home.signUp("ada@example.com")
        check(try await home.nativeauth("signin", "-u", "ada@example.com"), "--password-file is")
        try await home.signUpWithCode("eve@example.com")
        check(
            try await home.nativeauth("signin", "--profile", "local-code", "-u", "eve@example.com"), "--otp-command is")
    }

    @Test("at a terminal that is told never to ask", arguments: ["--no-input", "NATIVEAUTH_NO_INPUT", "CI"])
    func noInput(way: String) async throws {
        let flags = way.hasPrefix("-") ? [way] : []
        let session = try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth"), arguments: ["signup"] + flags,
            environment: home.environment(way.hasPrefix("-") ? [:] : [way: "1"]))
        try await session.expect("--username and --otp-command are missing, and there is nobody to ask.")
        #expect(try await session.end() == .exit(64))
        #expect(await !session.transcript.contains(Question.email))
    }

    @Test("as JSON")
    func json() async throws {
        let outcome = try await home.nativeauth("signup", "--json")
        let error = try object(outcome.errors).object("error")
        #expect(outcome.ending == .exit(64) && outcome.output.isEmpty)
        #expect(error.string("code") == "usage" && error["exit_code"] as? Int == 64)
        #expect(error.string("message")?.contains("--username") == true)
    }

    @Test(
        "sources of answers that give none",
        arguments: [
            ["--password-file", "/nonexistent"], ["--password-file", "/"], ["--password-command", "exit 3"],
            ["--password-command", "true"], ["--password-command", "kill -9 $$"], ["--password-stdin"],
            ["--password-command", "printf 'a\\0b'"], ["--password-file", "/dev/zero"],
        ])
    func unusable(flags: [String]) async throws {
        let outcome = try await home.run(
            ["signup", "-u", "ada@example.com", "--json", "--otp-command", "true"] + flags)()
        #expect(outcome.ending == .exit(66), "\(outcome)")
        #expect(outcome.output.isEmpty)
        let error = try object(outcome.errors).object("error")
        #expect(error.string("code") == "missing_input" && error["exit_code"] as? Int == 66)
    }

    @Test(
        "sources of codes that hold none",
        arguments: ["true", "echo none", "echo 1234", "exit 1", "echo 12345678 87654321"])
    func noCode(command: String) async throws {
        let outcome = try await home.nativeauth(
            "signup", "--profile", "local-code", "-u", "ada@example.com", "--otp-command", command)
        #expect(outcome.ending == .exit(66), "\(outcome)")
        #expect(outcome.errors.contains("--otp-command"))
    }
}
