// SPDX-License-Identifier: Apache-2.0

import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Streams", .inTurns)
struct StreamTests {
    let home: Home

    init() throws { home = try Home() }

    private static let readers = [
        ["token"], ["token", "--json"], ["whoami"], ["claims"], ["claims", "--json"], ["tenant", "config", "get"],
        ["claims", "--field", "oid"], ["credential", "exec"],
    ]

    @Test("T53, T54: an output that cannot be written is never taken for success: 74", arguments: readers)
    func full(command: [String]) async throws {
        try await home.signUp("ada@example.com")
        for output in [Run.Stream.file("/dev/full"), .closed] {
            var run = home.run(command)
            run.output = output
            let outcome = try await run()
            #expect(outcome.ending == .exit(74), "\(outcome)")
            #expect(outcome.errors.lowercased().contains("cannot write the output"))
        }
    }

    @Test("a sign-up whose result cannot be written still has made the account")
    func fullAtSignUp() async throws {
        var run = home.run(try home.signUpFlags("ada@example.com") + ["--json"])
        run.output = .file("/dev/full")
        #expect(try await run().ending == .exit(74))
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
    }

    @Test("T55, T56: a reader that has gone ends it quietly, also where SIGPIPE is ignored", arguments: readers)
    func broken(command: [String]) async throws {
        try await home.signUp("ada@example.com")
        var run = home.run(command)
        run.output = .broken
        let outcome = try await run()
        #expect(outcome.ending == .signal(SIGPIPE) && outcome.errors.isEmpty, "\(outcome)")
        let line = "nativeauth \(command.joined(separator: " "))"
        for script in ["\(line) | true", "\(line) | head -c 1", "trap '' PIPE; \(line) | true"] {
            let piped = try await home.shell(script)
            #expect(piped.ending == .exit(0) && piped.errors.isEmpty, "\(script): \(piped)")
        }
    }

    @Test("another program that has gone is no success: 74")
    func peerHasGone() async throws {
        var run = home.run(["signin", "--protocol", "jsonl"])
        run.output = .broken
        run.input = .text(#"{"username": "ada@example.com"}"# + "\n")
        let outcome = try await run()
        #expect(outcome.ending == .exit(74), "\(outcome)")
        #expect(outcome.errors.contains("Cannot write the output: Broken pipe."), "\(outcome)")
    }

    @Test("streams that do not block are waited for")
    func nonBlocking() async throws {
        try await home.signUp("ada@example.com")
        let script = """
            import json, os, subprocess, sys
            answers, ours = os.pipe()
            os.set_blocking(answers, False)
            program = subprocess.Popen(["nativeauth", "signin", "--protocol", "jsonl"], stdin=answers, stdout=subprocess.PIPE)
            for answer in [{"username": "ada@example.com"}, {"password": open(sys.argv[1]).read().strip()}]:
                assert "ask" in json.loads(program.stdout.readline())
                os.write(ours, json.dumps(answer).encode() + b"\\n")
            assert "done" in json.loads(program.stdout.readline())
            sys.exit(program.wait())
            """
        let outcome = try await Run(
            "/usr/bin/python3", ["-c", script, try home.passwordFile()], environment: home.environment)()
        #expect(outcome.ending == .exit(0), "\(outcome)")
    }

    @Test("streams that are closed from the start do no harm", arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
    func closed(streams: String) async throws {
        try await home.signUp("ada@example.com")
        try await home.signUp("eve@example.com")
        let password = try home.passwordFile()
        let outcome = try await home.shell(
            "exec \(streams); exec nativeauth signin -u ada@example.com --password-file \(password) --json")
        #expect(outcome.ending == .exit(streams.contains("1>") ? 74 : 0), "\(outcome)")
        #expect(
            try await home.succeed("whoami") == "ada@example.com\n", "the account is kept whatever became of the output"
        )
        #expect(home.read(home.configFolder + "/accounts/local.lock") == "")
        #expect(home.read(home.tenantFolder + "/tenant.lock") == "")
        let refused = try await home.shell("exec \(streams); exec nativeauth signin -u nobody@example.com --json")
        #expect(refused.ending == .exit(77), "\(refused)")
        try await home.succeed("token", "--force-refresh")
    }

    @Test("standard error that is full does not change what is done")
    func fullErrors() async throws {
        var run = home.run(try home.signUpFlags("ada@example.com") + ["--json"])
        run.errors = .file("/dev/full")
        let outcome = try await run()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(try object(outcome.output).object("account").string("username") == "ada@example.com")
        for arguments in [
            ["signin", "-u", "ada@example.com", "--password-file", try home.passwordFile()], ["signout"],
        ] {
            var run = home.run(arguments)
            run.errors = .file("/dev/full")
            #expect(try await run().ending == .exit(0), "\(arguments)")
        }
    }

    @Test("T59: no line ends in CRLF, and nothing is coloured")
    func plain() async throws {
        let up = try await home.run(try home.signUpFlags("ada@example.com"))()
        for text in [up.errors, try await home.succeed("claims"), try await home.succeed("tenant", "config", "get")] {
            #expect(!text.unicodeScalars.contains("\r") && !text.contains("\u{1B}"))
            #expect(text.hasSuffix("\n"))
        }
    }

    @Test("T58: both streams together hold the token alone, and a prompt never goes into a substitution")
    func substitution() async throws {
        try await home.signUp("ada@example.com")
        let token = try await home.shell("token=$(nativeauth token 2>&1) && printf '<%s>' \"$token\"")
        #expect(token.ending == .exit(0))
        #expect(token.output.hasPrefix("<eyJ") && token.output.hasSuffix(">"))
        #expect(token.output.split(whereSeparator: \.isWhitespace).count == 1)
    }

    @Test("T52: a program without a terminal never looks for one")
    func noTerminal() async throws {
        // The run is a session of its own without a controlling terminal.
        let outcome = try await home.shell("setsid nativeauth signup </dev/null; setsid nativeauth signin </dev/null")
        #expect(outcome.ending == .exit(64))
        #expect(outcome.errors.occurrences(of: "there is nobody to ask") == 2)
    }

    @Test("T50: the questions come to the terminal, and the result alone goes to standard output")
    func resultApart() async throws {
        try await home.signUp("ada@example.com")
        let session = try home.session("signin", "--json", capturingOutput: true)
        try await session.answer(Question.email, "ada@example.com")
        try await session.answer(Question.password, Home.password)
        try await session.endWell()
        let output = await session.output
        #expect(try object(output).object("account").string("username") == "ada@example.com")
        #expect(output.occurrences(of: "\n") == 1)
        #expect(await !session.transcript.contains("\"account\""))
    }

    @Test("T51: with both streams in pipes the questions still come to the terminal")
    func questionsInPipes() async throws {
        try await home.signUp("ada@example.com")
        let session = try TerminalSession.spawn(
            executable: "/bin/sh", arguments: ["-c", "nativeauth signin --json 2>&1 >out | cat >err"],
            environment: home.environment, directory: home.path)
        try await session.answer(Question.email, "ada@example.com")
        try await session.answer(Question.password, Home.password)
        try await session.endWell()
        let out = try object(try #require(home.read(home.path + "/out")))
        #expect(out.object("account").string("username") == "ada@example.com")
        #expect(home.read(home.path + "/err") == "")
    }

    @Test("T57: one JSON object and a line end where it went well, nothing on standard output where it did not")
    func json() async throws {
        let flags = try home.signUpFlags("ada@example.com")
        let file = try home.passwordFile()
        for arguments in [
            flags, ["signin", "-u", "ada@example.com", "--password-file", file], ["token"], ["whoami"], ["claims"],
            ["signout"], ["signout"],
        ] {
            let outcome = try await home.run(arguments + ["--json"])()
            #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)")
            _ = try object(outcome.output)
            #expect(outcome.output.hasSuffix("}\n") && outcome.output.occurrences(of: "\n") == 1)
        }
        for arguments in [flags, ["token"], ["whoami"], ["claims"], ["nope"], ["token", "--nope"]] {
            let outcome = try await home.run(arguments + ["--json"])()
            #expect(outcome.ending != .exit(0) && outcome.output.isEmpty, "\(outcome)")
            _ = try object(outcome.errors)
        }
    }

    /// A standard input, and how a sign-in with `--password-stdin` ends.
    static let passwords: [(text: String, status: Int32)] = [
        ("", 66), ("\n", 66), (Home.password + "\n", 0), (Home.password, 0), (Home.password + "\r\n", 0),
        (Home.password + "\nsecond line\n", 77), (String(repeating: "x", count: 5000), 66), ("a\0b", 66),
    ]

    @Test("T60: --password-stdin takes all but one line end", arguments: passwords.indices)
    func passwordOnStandardInput(index: Int) async throws {
        let (text, status) = Self.passwords[index]
        try await home.signUp("ada@example.com")
        var run = home.run(["signin", "-u", "ada@example.com", "--password-stdin"])
        run.input = .text(text)
        let outcome = try await run()
        #expect(outcome.ending == .exit(status), "\(outcome)")
    }

    @Test("T60: --password-stdin at a terminal asks, without showing what is typed")
    func passwordAtTerminal() async throws {
        try await home.signUp("ada@example.com")
        let session = try home.session("signin", "-u", "ada@example.com", "--password-stdin")
        try await session.answer(Question.password, Home.password)
        try await session.endWell()
        #expect(await !session.transcript.contains(Home.password))
    }
}
