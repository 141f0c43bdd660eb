// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// The scripts in the shells that they are for, and the pages in the formatter that they are for.
@Suite("Completions and manual pages", .inTurns)
struct CompletionShellTests {
    let home: Home

    init() throws { home = try Home() }

    private static func has(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Types into a shell that has loaded the scripts; returns the command line that the Tab key has made.
    private func completed(
        _ line: String, _ shell: String, _ flags: [String], setup: String
    ) async throws -> String {
        let session = try TerminalSession.spawn(
            executable: shell, arguments: flags, environment: home.environment(["TERM": "dumb", "PS1": "$ "]),
            directory: home.path)
        try await session.send("\(setup) && echo rea''dy\r")
        try await session.expect("ready\r\n")
        // What stands on the line is shown whole by 'echo' before it.
        try await session.send("\(line)\t\u{1}echo 'it: ' \r")
        try await session.expect("\nit:  ")
        let made = try await session.expect("\n")
        try await session.send("exit 0\r")
        try await session.finish()
        let transcript = await session.transcript
        #expect(!transcript.contains("not found") && !transcript.contains("parse error"), "\(transcript)")
        return made.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static let lines = [
        ("nativeauth signin --client", "nativeauth signin --client-id"),
        ("nativeauth token --profile con", "nativeauth token --profile contoso"),
        ("nativeauth token --profile=con", "nativeauth token --profile=contoso"),
        ("nativeauth help exi", "nativeauth help exit-codes"),
        ("nativeauth signin --password-file only-", "nativeauth signin --password-file only-file"),
        ("nativeauth tenant user set --dis", "nativeauth tenant user set --disabled"),
        ("nativeauth-tenant inb", "nativeauth-tenant inbox"),
    ]

    private func prepare() throws {
        try home.write("only-file", "")
        try home.write(
            ".config/nativeauth/config.json",
            #"{"profiles": {"contoso": {"authority": "https://contoso.ciamlogin.com", "client_id": "x"}}}"#)
    }

    @Test("T83: bash loads the scripts and completes", arguments: lines)
    func bash(line: (typed: String, made: String)) async throws {
        try prepare()
        let setup = "source <(nativeauth completion bash) && source <(nativeauth tenant completion bash)"
        #expect(
            try await completed(line.typed, "/bin/bash", ["--norc", "--noprofile", "-i"], setup: setup) == line.made)
    }

    @Test("T83: zsh loads the scripts and completes", .enabled(if: has("/usr/bin/zsh")), arguments: lines)
    func zsh(line: (typed: String, made: String)) async throws {
        try prepare()
        let setup =
            "autoload -Uz compinit && compinit -D -u && source <(nativeauth completion zsh) && source <(nativeauth tenant completion zsh)"
        #expect(try await completed(line.typed, "/usr/bin/zsh", ["-f", "-i"], setup: setup) == line.made)
    }

    @Test("T83: zsh finds the script in its functions' folder", .enabled(if: has("/usr/bin/zsh")))
    func zshFolder() async throws {
        try prepare()
        try home.write("site/_nativeauth", try await home.succeed("completion", "zsh"))
        let setup = "fpath=(~/site $fpath) && autoload -Uz compinit && compinit -D -u"
        for _ in 1...2 {
            let made = try await completed(
                "nativeauth signin --client", "/usr/bin/zsh", ["-f", "-i"], setup: setup)
            #expect(made == "nativeauth signin --client-id")
        }
    }

    @Test("T83: fish loads the scripts and completes", .enabled(if: has("/usr/bin/fish")), arguments: lines)
    func fish(line: (typed: String, made: String)) async throws {
        try prepare()
        var run = Run(
            "/usr/bin/fish",
            [
                "--no-config", "-c",
                """
                nativeauth completion fish | source
                nativeauth tenant completion fish | source
                complete -C '\(line.typed)'
                """,
            ], environment: home.environment)
        run.directory = home.path
        let outcome = try await run()
        #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)")
        let words = outcome.output.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(words == [line.made.split(separator: " ").last], "\(outcome)")
    }

    @Test("a configuration that is broken, or the lack of HOME, takes nothing from the flags")
    func brokenConfiguration() async throws {
        try home.write(".config/nativeauth/config.json", "no JSON")
        for home in [self.home.path, nil] {
            let run = self.home.run(
                ["completion", "bash", "--", "nativeauth", "token", "--sc"], environment: ["HOME": home])
            #expect(try await run().output == "--scope\tA scope of an API; may be repeated\n")
        }
        #expect(
            try await home.succeed("completion", "zsh", "--", "nativeauth", "token", "--profile", "")
                == "local\t\nlocal-code\t\n")
    }

    @Test("profiles that no command can name are not offered")
    func impossibleNames() async throws {
        try home.write(
            ".config/nativeauth/config.json", #"{"profiles": {"a;touch x": {}, "b\nc": {}, "..": {}, "fine": {}}}"#)
        #expect(
            try await home.succeed("completion", "bash", "--", "nativeauth", "token", "--profile", "")
                == "fine\t\nlocal\t\nlocal-code\t\n")
    }

    @Test("an unknown shell is a wrong use: 64")
    func unknownShell() async throws {
        let outcome = try await home.nativeauth("completion", "tcsh")
        #expect(outcome.ending == .exit(64) && outcome.output.isEmpty)
        #expect(outcome.errors.contains("'tcsh' is not one of bash, zsh, fish for 'SHELL'"), "\(outcome)")
        #expect(try await home.nativeauth("completion").ending == .exit(64))
    }

    @Test("T83: the manual pages are formatted without a warning", arguments: [["help"], ["tenant", "help"]])
    func manual(words: [String]) async throws {
        let source = try await home.run(words + ["--man"])()
        #expect(source.ending == .exit(0) && source.errors.isEmpty)
        let page = try home.write("page.1", source.output)
        for formatter in ["man --warnings=w -l '\(page)'", "groff -man -Tutf8 -ww -z '\(page)'"] {
            let outcome = try await home.shell(formatter, environment: ["MANPAGER": "cat", "MANWIDTH": "80"])
            #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)")
            guard formatter.hasPrefix("man") else { continue }
            for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "COMMANDS", "SEE ALSO"] {
                #expect(outcome.output.contains(heading), "\(heading) is not in the page")
            }
        }
    }
}
