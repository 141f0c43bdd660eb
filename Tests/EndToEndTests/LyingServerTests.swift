// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("A server that does not keep to the protocol", .inTurns)
struct LyingServerTests {
    let home: Home

    init() throws { home = try Home() }

    /// What a server says, and what is made of it.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: String
        let endlessly: String
        let status: Int32
        let words: String

        init(_ name: String, _ answer: String, endlessly: String = "", status: Int32, words: String) {
            testDescription = name
            self.answer = answer
            self.endlessly = endlessly
            self.status = status
            self.words = words
        }

        static func reply(_ status: String, _ body: String, type: String = "application/json", more: String = "")
            -> String
        {
            "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\(more)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }
    }

    static let lies: [Lie] = [
        Lie(
            "HTML",
            Lie.reply("200 OK", "<html><body>Sign in to the airport's network</body></html>", type: "text/html"),
            status: 76, words: "does not speak the protocol"),
        Lie("an empty body", Lie.reply("200 OK", ""), status: 76, words: "does not speak the protocol"),
        Lie(
            "another JSON object", Lie.reply("200 OK", #"{"hello": "world"}"#), status: 76,
            words: "does not speak the protocol"),
        Lie("a JSON array", Lie.reply("200 OK", "[1, 2]"), status: 76, words: "does not speak the protocol"),
        Lie(
            "a member of the wrong type", Lie.reply("200 OK", #"{"continuation_token": 7}"#), status: 76,
            words: "does not speak the protocol"),
        Lie(
            "JSON that nests for ever", Lie.reply("200 OK", String(repeating: "[", count: 200_000)), status: 76,
            words: "does not speak the protocol"),
        Lie(
            "an error of no known form", Lie.reply("400 Bad Request", #"{"error": ["x"]}"#), status: 76,
            words: "does not speak the protocol"),
        Lie(
            "a redirection", Lie.reply("302 Found", "", more: "Location: https://example.com/\r\n"), status: 76,
            words: "does not speak the protocol"),
        Lie(
            "a body without end", "HTTP/1.1 200 OK\r\n\r\n", endlessly: String(repeating: "x", count: 65536),
            status: 76, words: "larger than any answer"),
        Lie(
            "a head without end", "HTTP/1.1 200 OK\r\n",
            endlessly: "X-Header: \(String(repeating: "x", count: 4000))\r\n",
            status: 76, words: "larger than any answer"),
        Lie("no HTTP", "220 mail.example.com ESMTP\r\n", status: 69, words: ""),
        Lie("nothing", "", status: 69, words: ""),
        Lie(
            "half an answer", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", status: 69,
            words: "The connection ended"),
        Lie(
            "a failure", Lie.reply("500 Internal Server Error", "oops", type: "text/plain"), status: 69,
            words: "HTTP 500"),
        Lie(
            "too many requests", Lie.reply("429 Too Many Requests", "{}", more: "Retry-After: 70\r\n"), status: 75,
            words: "slow down"),
        Lie(
            "the way to a browser", Lie.reply("200 OK", #"{"challenge_type": "redirect"}"#), status: 77,
            words: "browser"),
    ]

    @Test("is told so, with an exit code of its own", arguments: lies)
    func lie(lie: Lie) async throws {
        let server = try LyingServer(answer: lie.answer, endlessly: lie.endlessly)
        for command in ["signin", "signup"] {
            let outcome = try await home.nativeauth(
                command, "-u", "ada@example.com", "--authority", server.address, "--client-id", "x", "--json",
                "--password-file", home.passwordFile(), "--otp-command", "true")
            #expect(outcome.ending == .exit(lie.status), "\(outcome)")
            #expect(outcome.output.isEmpty)
            let error = try object(outcome.errors).object("error")
            #expect(lie.words.isEmpty || error.string("message")?.contains(lie.words) == true, "\(outcome)")
            if lie.status == 75 { #expect(error["retry_after"] as? Int == 70) }
        }
        #expect(home.read(home.cache) == nil)
        withExtendedLifetime(server) {}
    }

    @Test("can name any number of seconds", arguments: [Int.max, Int.min])
    func endlessPause(seconds: Int) async throws {
        let challenge = """
            {"continuation_token": "x", "challenge_type": "oob", "challenge_channel": "email", "code_length": 8,
             "challenge_target_label": "a***a@ex*****.com", "binding_method": "prompt", "interval": \(seconds)}
            """
        let server = try LyingServer(answers: [
            Lie.reply("200 OK", #"{"continuation_token": "x"}"#), Lie.reply("200 OK", challenge),
        ])
        let session = try home.session(
            "signin", "-u", "ada@example.com", "--authority", server.address, "--client-id", "x")
        try await session.answer(seconds > 0 ? "Code of 8 digits (a new one in 1440:00" : "(r for a new one", "?")
        try await session.expect("The code has 8 digits and went to a***a@ex*****.com.")
        try await session.send(Key.interrupt)
        #expect(try await session.end() == .signal(SIGINT))
        withExtendedLifetime(server) {}
    }

    @Test("cannot send escape sequences to the terminal")
    func escapes() async throws {
        let body = """
            {"error": "invalid_request", "error_description": "AADSTS1: \\u001b]52;c;ZXZpbA==\\u0007 \\u009b2J \\u202e red",
             "error_codes": [1]}
            """
        let server = try LyingServer(answer: Lie.reply("400 Bad Request", body))
        let session = try home.session(
            "signin", "-u", "ada@example.com", "--authority", server.address, "--client-id", "x")
        #expect(try await session.end() == .exit(77))
        withExtendedLifetime(server) {}
        let transcript = await session.transcript
        #expect(transcript.contains("The tenant refused"))
        for forbidden in ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"] as [Unicode.Scalar] {
            #expect(!transcript.unicodeScalars.contains(forbidden))
        }
    }
}
