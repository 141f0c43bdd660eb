// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Another program instead of a person", .inTurns)
struct ProtocolTests {
    let home: Home

    init() throws { home = try Home() }

    /// Answers in their order; CODE stands for the newest one in the mail. Prints both sides of the conversation.
    private static let driver = """
        import json, subprocess, sys
        arguments, answers = json.loads(sys.argv[1]), json.loads(sys.argv[2])
        program = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line in program.stdout:
            print("<", line, end="")
            if "ask" not in json.loads(line) or not answers:
                program.stdin.close()
                continue
            answer = answers.pop(0)
            if answer == {"method": "SMS"}:
                methods = json.loads(line)["methods"]
                answer = {"method": next(method["id"] for method in methods if method["channel"] == "sms")}
            if answer == {"code": "CODE"}:
                inbox = ["nativeauth", "tenant", "inbox", "--code"]
                answer = {"code": subprocess.check_output(inbox, text=True).strip()}
            program.stdin.write((answer if isinstance(answer, str) else json.dumps(answer)) + "\\n")
            program.stdin.flush()
        sys.exit(program.wait())
        """

    /// A conversation; returns the program's lines.
    private func converse(_ arguments: [String], _ answers: String) async throws -> (Run.Outcome, [String]) {
        let command = ["nativeauth"] + arguments + ["--protocol", "jsonl"]
        let words = String(decoding: try JSONEncoder().encode(command), as: UTF8.self)
        let outcome = try await Run(
            "/usr/bin/python3", ["-c", Self.driver, words, answers], environment: home.environment)()
        let lines = outcome.output.split(separator: "\n").map { String($0.dropFirst(2)) }
        return (outcome, lines)
    }

    @Test("the documented driver signs up")
    func driver() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let page = try #require(home.read(root.deletingLastPathComponent().path + "/docs/scripting.md"))
        let block = try #require(page.split(separator: "```python\n").last?.split(separator: "```").first)
        let outcome = try await Run(
            "/usr/bin/python3", ["-c", String(block), "ada@example.com", try home.passwordFile()],
            environment: home.environment)()
        #expect(outcome.ending == .exit(0) && outcome.errors.isEmpty, "\(outcome)")
        let done = try object(outcome.output).object("done")
        #expect(done.string("username") == "ada@example.com")
        #expect(done.object("signed_in").string("profile") == "local")
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
    }

    @Test("a sign-up, with everything wrong once")
    func signUp() async throws {
        let (outcome, lines) = try await converse(
            ["signup"],
            """
            [{"username": "nonsense"}, {"username": "ada@example.com"}, {"code": "12"}, {"code": "00000000"},
             {"resend": true}, {"code": "CODE"}, {"new_password": "sh0rt"}, {"new_password": "\(Home.password)"},
             "no JSON", {"attributes": {}}, {"attributes": {"country": "Norway"}}]
            """)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.errors.isEmpty)
        let code = #"{"ask":"code","channel":"email","code_length":8,"#
        let expected = [
            #"{"ask":"username"}"#,
            #"{"ask":"username","problem":{"code":"invalid_request","message":"That is no mail address that the tenant takes."}}"#,
            code + #""resend_after""#,
            code
                + #""problem":{"code":"bad_answer","message":"That was no answer: send {\"code\": \"…\"} with 8 digits"#,
            code
                + #""problem":{"code":"invalid_grant","message":"The code is wrong, or no longer valid.","sub_code":"invalid_oob_value"}"#,
            code + #""resend_after""#,
            #"{"ask":"new_password"}"#,
            #"{"ask":"new_password","problem":{"code":"invalid_grant","message":"#,
            #"{"ask":"attributes","attributes":[{"name":"country","required":true,"type":"string"},{"name":"city","required":false,"type":"string"}]}"#,
            #"{"ask":"attributes","attributes":["#,
            #"{"ask":"attributes","attributes":["#,
            #"{"done":{"signed_in":{"account":{"id":"#,
        ]
        #expect(lines.count == expected.count, "\(outcome)")
        for (line, start) in zip(lines, expected) { #expect(line.hasPrefix(start), "\(line)") }
        #expect(!outcome.output.contains(Home.password) && !outcome.output.contains("sh0rt"))
        #expect(lines[3].contains("sent_to\":\"a"))
    }

    @Test("a sign-in and a reset; the outcome is the last line, and the exit code says the same")
    func others() async throws {
        try await home.signUp("ada@example.com")
        let (signedIn, lines) = try await converse(
            ["signin", "-u", "ada@example.com"],
            #"[{"password": "Wr0ng-password"}, {"password": "\#(Home.password)"}]"#)
        #expect(signedIn.ending == .exit(0), "\(signedIn)")
        #expect(lines.first == #"{"ask":"password"}"#)
        #expect(
            lines[1].hasPrefix(
                #"{"ask":"password","problem":{"code":"invalid_grant","message":"The password is wrong."}"#))
        #expect(lines.last?.hasPrefix(#"{"done":"#) == true)
        let (reset, words) = try await converse(
            ["reset-password", "-u", "ada@example.com"], #"[{"code": "CODE"}, {"new_password": "N3w-Tr0ub4dor-4"}]"#)
        #expect(reset.ending == .exit(0), "\(reset)")
        #expect(words.count == 3 && words[1] == #"{"ask":"new_password"}"#)
    }

    @Test("a second factor is registered, and the only one is not asked for")
    func secondFactor() async throws {
        let shop = "0d6e0b2e-6a0c-4a52-9d0c-3f4a5b6c7d8e"
        try await home.signUp("ada@example.com")
        let app = #"{"client_id": "\#(shop)", "name": "Shop", "flow": "email-password", "multi_factor": {}}"#
        try await home.succeed("tenant", "app", "set", try home.write("app.json", app))
        let signIn = ["signin", "-u", "ada@example.com", "--client-id", shop]
        let (first, lines) = try await converse(
            signIn,
            """
            [{"password": "\(Home.password)"}, {"method": "none"}, {"method": "SMS"}, {"contact": "+4790000007"},
             {"code": "CODE"}]
            """)
        #expect(first.ending == .exit(0), "\(first)")
        #expect(lines.count == 6, "\(first)")
        #expect(lines[1].hasPrefix(#"{"ask":"method","methods":[{"channel":"email","hint":"#))
        #expect(lines[2].contains("bad_answer") && lines[3].hasPrefix(#"{"ask":"contact","methods":[{"channel":"sms""#))
        let (second, words) = try await converse(
            signIn, #"[{"password": "\#(Home.password)"}, {"code": "CODE"}]"#)
        #expect(second.ending == .exit(0) && words.count == 3, "\(second)")
    }

    @Test("what ends after the account was made says that it exists")
    func accountExists() async throws {
        let shop = "0d6e0b2e-6a0c-4a52-9d0c-3f4a5b6c7d8e"
        let app = #"{"client_id": "\#(shop)", "name": "Shop", "flow": "email-password", "multi_factor": {}}"#
        try await home.succeed("tenant", "app", "set", try home.write("app.json", app))
        let (outcome, lines) = try await converse(
            ["signup", "-u", "ada@example.com", "--client-id", shop],
            """
            [{"code": "CODE"}, {"new_password": "\(Home.password)"}, {"attributes": {"country": "Norway"}}]
            """)
        #expect(outcome.ending == .exit(66), "\(outcome)")
        let error = try object(try #require(lines.last)).object("error")
        #expect(error["account_created"] as? Bool == true && error.string("hint")?.contains("signin") == true)
    }

    @Test("refusals and endings")
    func refusals() async throws {
        let (unknown, lines) = try await converse(["signin"], #"[{"username": "nobody@example.com"}]"#)
        #expect(unknown.ending == .exit(77), "\(unknown)")
        let error = try object(try #require(lines.last)).object("error")
        #expect(error.string("code") == "user_not_found" && error["exit_code"] as? Int == 77)
        #expect(unknown.errors.hasPrefix("nativeauth: No account has this address.\n"))
        let (ended, last) = try await converse(["signin"], "[]")
        #expect(ended.ending == .exit(66), "\(ended)")
        #expect(try object(try #require(last.last)).object("error").string("code") == "missing_input")
        var full = home.run(["signin", "--protocol", "jsonl"])
        full.output = .file("/dev/full")
        #expect(try await full().ending == .exit(74))
    }

    @Test(
        "secrets by other flags, and standard input for something else, are misuse",
        arguments: [
            ["--password-stdin"], ["--otp-command", "x"], ["--password-file", "x"], ["--no-input"],
            ["--attributes-file", "-"], ["--protocol", "xml"],
        ])
    func misuse(flags: [String]) async throws {
        let outcome = try await home.run(["signup", "--protocol", "jsonl"] + flags)()
        #expect(outcome.ending == .exit(64) && outcome.output.isEmpty, "\(outcome)")
    }

    @Test("a person is told that it is not for them")
    func terminal() async throws {
        let session = try home.session("signin", "--protocol", "jsonl")
        try await session.expect("standard input is a terminal")
        #expect(try await session.end() == .exit(64))
    }
}
