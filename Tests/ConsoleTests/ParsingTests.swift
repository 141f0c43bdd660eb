// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

/// A command line and the command that it means.
struct Reading: Sendable {
    let arguments: [String]
    let change: @Sendable (inout Register) -> Void

    init(_ arguments: String..., change: @escaping @Sendable (inout Register) -> Void) {
        self.arguments = arguments
        self.change = change
    }
}

@Suite("Command lines")
struct ParsingTests {
    static let readings: [Reading] = [
        Reading { _ in },
        Reading("--username", "a@b.c") { $0.username = "a@b.c" },
        Reading("--username=a@b.c") { $0.username = "a@b.c" },
        Reading("-u", "a@b.c") { $0.username = "a@b.c" },
        Reading("--username=") { $0.username = "" },
        Reading("--username=-x=y") { $0.username = "-x=y" },
        Reading("--timeout", "30", "--retries", "-1") { ($0.timeout, $0.retries) = (30, -1) },
        Reading("--method", "otp") { $0.method = .otp },
        Reading("--attribute", "a=1", "--attribute=b=2") { $0.attributes = ["a=1", "b=2"] },
        Reading("-p", "answers.json") { ($0.usesPassword, $0.file) = (true, "answers.json") },
        Reading("answers.json", "-p") { ($0.usesPassword, $0.file) = (true, "answers.json") },
        Reading("-") { $0.file = "-" },
        Reading("--", "--json") { $0.file = "--json" },
        Reading("--json", "--profile", "p", "-d") {
            $0.shared = Register.Shared(json: true, profile: "p", debug: true)
        },
        Reading("--json", "--json") { $0.shared.json = true },
    ]

    @Test("fill the command's properties", arguments: readings)
    func fill(reading: Reading) throws {
        var expected = Register()
        reading.change(&expected)
        #expect(try Register.parse(reading.arguments) == expected)
    }

    static let mistakes: [(String, String)] = [
        ("--usernme a", "unknown flag '--usernme'. Did you mean '--username'?"),
        ("--usernme=a", "unknown flag '--usernme'. Did you mean '--username'?"),
        ("--jsno", "unknown flag '--jsno'. Did you mean '--json'?"),
        ("--hepl", "unknown flag '--hepl'. Did you mean '--help'?"),
        ("--frobnicate", "unknown flag '--frobnicate'."),
        ("-x", "unknown flag '-x'."),
        ("--username", "'--username' needs a value."),
        (
            "--username --json",
            "'--username' needs a value; one that starts with a dash is given as '--username=--json'."
        ),
        ("--username a --username b", "'--username' is given twice."),
        ("--username a -u b", "'-u' is given twice."),
        ("--json=yes", "'--json' takes no value."),
        ("--timeout soon", "'soon' is not a whole number for '--timeout'."),
        ("--timeout=", "'' is not a whole number for '--timeout'."),
        ("--method sms", "'sms' is not one of otp, password for '--method'."),
        ("one two", "unexpected argument 'two'."),
        ("-- --json two", "unexpected argument 'two'."),
        ("--password --method otp", "'--password' contradicts '--method otp'."),
    ]

    @Test("that do not fit are explained", arguments: mistakes)
    func mistake(line: String, message: String) throws {
        let error = try #require(throws: UsageError.self) {
            try Register.parse(line.split(separator: " ").map(String.init))
        }
        let text = "nativeauth signup: \(message)\nRun 'nativeauth help signup' for its flags."
        #expect(error.text(program: "nativeauth") == text)
    }

    @Test("without a known command are explained")
    func noCommand() {
        let guess = suggestion(for: "sginin", among: ["signin", "signup", "signout"])
        let error = UsageError(command: "", "unknown command 'sginin'", suggestion: guess)
        #expect(
            error.text(program: "nativeauth") == """
                nativeauth: unknown command 'sginin'. Did you mean 'signin'?
                Run 'nativeauth help' for its commands.
                """)
    }

    @Test("show no control characters of their own")
    func hostile() throws {
        let error = try #require(throws: UsageError.self) { try Register.parse(["--\u{1B}]0;x\u{7}"]) }
        #expect(error.text(program: "nativeauth").hasPrefix(#"nativeauth signup: unknown flag '--\x1b]0;x\x07'."#))
    }

    static let remainders: [([String], String?, [String])] = [
        (["--env", "T", "curl", "-X", "POST", "--", "--env"], "T", ["curl", "-X", "POST", "--", "--env"]),
        (["--", "--env", "-x"], nil, ["--env", "-x"]),
        (["a", "b"], nil, ["a", "b"]),
    ]

    @Test("of another program are left alone", arguments: remainders)
    func remainder(arguments: [String], name: String?, words: [String]) throws {
        #expect(try Run.parse(arguments) == Run(name: name, words: words))
    }

    @Test("must have what is required")
    func required() throws {
        func message(_ arguments: String...) throws -> String {
            try #require(throws: UsageError.self) { try Copy.parse(arguments) }.message
        }
        #expect(try message() == "SOURCE is missing")
        #expect(try message("a") == "TARGET is missing")
        #expect(try message("a", "b") == "'--reason' is required")
        #expect(throws: UsageError(command: "exec", "COMMAND is missing")) { try Run.parse([]) }
        #expect(
            try Copy.parse(["a", "--reason", "r", "b", "c"]) == Copy(source: "a", targets: ["b", "c"], reason: "r"))
    }

    @Test("ask for help, whatever else is wrong with them")
    func help() {
        #expect(Register.asksForHelp(["--help"]))
        #expect(Register.asksForHelp(["--nonsense", "-h"]))
        #expect(Register.asksForHelp(["--username", "--help"]))
        #expect(!Register.asksForHelp(["--", "--help"]))
        #expect(!Register.asksForHelp(["--username=--help"]))
        #expect(Run.asksForHelp(["--env", "x", "--help"]))
        #expect(!Run.asksForHelp(["curl", "--help"]))
    }

    @Test("are completed from near misses only")
    func suggestions() {
        let commands = ["signup", "signin", "signout", "token", "status"]
        #expect(suggestion(for: "singup", among: commands) == "signup")
        #expect(suggestion(for: "TOKEN", among: commands) == "token")
        #expect(suggestion(for: "tokens", among: commands) == "token")
        #expect(suggestion(for: "stauts", among: commands) == "status")
        #expect(suggestion(for: "x", among: commands) == nil)
        #expect(suggestion(for: "", among: commands) == nil)
        #expect(suggestion(for: "deploy", among: commands) == nil)
    }
}
