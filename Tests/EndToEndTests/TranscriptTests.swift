// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// Whole conversations as a screen reader hears them, in files that are there to be read.
@Suite("T88 Conversations in plain text", .inTurns)
struct TranscriptTests {
    let home: Home

    init() throws { home = try Home() }

    /// What the person types at a question.
    enum Answer: Sendable {
        case text(String)
        /// Not shown.
        case secret(String)
        /// The code of the message that was shown last.
        case code
    }

    struct Turn: Sendable {
        let question: String
        let answer: Answer

        init(_ question: String, _ answer: Answer) {
            self.question = question
            self.answer = answer
        }
    }

    struct Line: Sendable {
        let command: String
        let turns: [Turn]

        init(_ command: String, _ turns: Turn...) {
            self.command = command
            self.turns = turns
        }
    }

    struct Conversation: Sendable, CustomTestStringConvertible {
        let name: String
        var prepare: @Sendable (Home) async throws -> Void = { _ in }
        let lines: [Line]

        var testDescription: String { name }
    }

    private static let code = Turn(Question.code, .code)
    private static let shop = "0d6e0b2e-6a0c-4a52-9d0c-3f4a5b6c7d8e"
    private static let newPassword = [
        Turn(Question.newPassword, .secret(Home.password)), Turn(Question.again, .secret(Home.password)),
    ]

    /// An app whose users need a second factor.
    private static let openShop: @Sendable (Home) async throws -> Void = { home in
        let app = #"{"client_id": "\#(shop)", "name": "Shop", "flow": "email-password", "multi_factor": {}}"#
        try await home.signUp("ada@example.com")
        try await home.succeed("tenant", "app", "set", try home.write("app.json", app))
        try await home.succeed("signout")
    }

    static let conversations: [Conversation] = [
        Conversation(
            name: "sign-up-with-a-code",
            lines: [
                Line(
                    "nativeauth signup --profile local-code", Turn(Question.email, .text("ada@example.com")), code,
                    Turn(Question.country, .text("Norway")), Turn(Question.city, .text("")))
            ]),
        Conversation(
            name: "sign-up-with-a-password",
            lines: [
                Line(
                    "nativeauth signup", Turn(Question.email, .text("ada@example.com")), code, newPassword[0],
                    newPassword[1], Turn(Question.country, .text("Norway")), Turn(Question.city, .text("")))
            ]),
        Conversation(
            name: "sign-up-with-questions",
            prepare: { home in
                try await home.setFlow(
                    """
                    {"name": "email-password", "method": "password", "attributes": [
                      {"name": "country", "choices": ["Norway", "Sweden"]},
                      {"name": "postalCode", "regex": "[0-9]{4}"},
                      {"name": "newsletter", "type": "boolean", "required": false}]}
                    """)
            },
            lines: [
                Line(
                    "nativeauth signup", Turn(Question.email, .text("ada@exmaple.com")),
                    Turn(Question.code, .text("?")), Turn(Question.code, .text("c")),
                    Turn(Question.email, .text("ada@example.com")), Turn(Question.code, .text("123")), code,
                    Turn(Question.newPassword, .secret("ada1")), Turn(Question.again, .secret("")), newPassword[0],
                    newPassword[1], Turn("Country, 1 to 2: ", .text("3")), Turn("Country, 1 to 2: ", .text("2")),
                    Turn("PostalCode: ", .text("<")), Turn("Country, 1 to 2 [Sweden]: ", .text("1")),
                    Turn("PostalCode: ", .text("N-0150")), Turn("Newsletter (optional) [y/n]: ", .text("y")),
                    Turn("PostalCode [N-0150]: ", .text("0150")))
            ]),
        Conversation(
            name: "sign-in-with-a-code", prepare: { try await $0.signUpWithCode("ada@example.com") },
            lines: [
                Line(
                    "nativeauth signin --profile local-code", Turn(Question.email, .text("ada@example.com")), code)
            ]),
        Conversation(
            name: "sign-in-with-a-password", prepare: { try await $0.signUp("ada@example.com") },
            lines: [
                Line(
                    "nativeauth signin", Turn(Question.email, .text("ada@example.com")),
                    Turn(Question.password, .secret("Wr0ng-password")),
                    Turn(Question.password, .secret(Home.password)))
            ]),
        Conversation(
            name: "sign-in-with-a-second-factor", prepare: openShop,
            lines: [
                Line(
                    "nativeauth signin --client-id \(shop)", Turn(Question.email, .text("ada@example.com")),
                    Turn(Question.password, .secret(Home.password)),
                    Turn("Where should the code go, 1 to 2? ", .text("2")),
                    Turn("Telephone number: ", .text("+4790000007")), code),
                Line(
                    "nativeauth signin --client-id \(shop)", Turn(Question.email, .text("ada@example.com")),
                    Turn(Question.password, .secret(Home.password)), code),
            ]),
        Conversation(
            name: "reset-a-password", prepare: { try await $0.signUp("ada@example.com") },
            lines: [
                Line(
                    "nativeauth reset-password", Turn(Question.email, .text("ada@example.com")), code,
                    Turn(Question.newPassword, .secret("An0ther-salmon-9")),
                    Turn(Question.again, .secret("An0ther-salmon-9")))
            ]),
        Conversation(
            name: "use-a-token-and-sign-out", prepare: { try await $0.signUp("ada@example.com") },
            lines: [
                Line("nativeauth whoami"), Line("nativeauth token"), Line("nativeauth signout"),
                Line("nativeauth token"),
            ]),
    ]

    @Test("are as they are written down", arguments: conversations)
    func conversation(_ conversation: Conversation) async throws {
        try await conversation.prepare(home)
        var text = ""
        for line in conversation.lines { text += try await play(line) }
        let written = try Self.file(conversation.name)
        #expect(text == written, "played was:\n\(text)")
    }

    @Test("README shows one of them, word for word")
    func readme() throws {
        let readme = try String(contentsOf: Self.folder.appending(path: "../../../README.md"), encoding: .utf8)
        #expect(readme.contains("```console\n" + (try Self.file("sign-up-with-a-password")) + "```\n"))
    }

    @Test("each file belongs to a conversation")
    func noOrphans() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        #expect(files == Self.conversations.map { $0.name + ".txt" }.sorted())
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")

    private static func file(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name + ".txt"), encoding: .utf8)
    }

    /// Types a command and its answers; returns what there is to read then.
    private func play(_ line: Line) async throws -> String {
        let session = try TerminalSession.spawn(
            executable: "/bin/sh", arguments: ["-c", "exec " + line.command],
            environment: home.environment(["ACCESSIBLE": "1"]), directory: home.path)
        var secrets: [String] = []
        var code: String?
        for turn in line.turns {
            let shown = try await session.expect(turn.question, timeout: .seconds(60))
            code = shown.mailedCode ?? code
            switch turn.answer {
            case .text(let text): try await session.send(text + "\r")
            case .secret(let text):
                secrets.append(text)
                try await session.send(text + "\r")
            case .code: try await session.send(try #require(code) + "\r")
            }
        }
        _ = try await session.end()
        let transcript = await session.transcript
        #expect(!transcript.contains("\u{1B}"))
        for secret in secrets where !secret.isEmpty { #expect(!transcript.contains(secret)) }
        return "$ \(line.command)\n" + transcript.replacing("\r\n", with: "\n").withoutChance
    }
}

extension String {
    /// This text with a code, a time, a wait and a token that are always the same.
    fileprivate var withoutChance: String {
        replacing(#/\b\d{8}\b/#, with: "33660045")
            .replacing(#/until \d\d:\d\d UTC/#, with: "until 14:05 UTC")
            .replacing(#/in \d:\d\d/#, with: "in 4:58")
            .replacing(#/eyJ[\w-]+\.[\w-]+\.[\w-]+/#, with: "eyJhbGciOiJSUzI1NiIsImtpZCI6…")
            // Neither editors nor README keep blanks at the end of a line.
            .replacing(#/ +\n/#, with: "\n")
    }
}
