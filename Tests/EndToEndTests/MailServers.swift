// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// A mail server of Python's, beside the programs.
struct MailServer {
    let session: TerminalSession
    let port: String

    private init(_ script: String, _ words: [String], _ home: Home) async throws {
        let place = URL(filePath: #filePath).appending(path: "../../Support/\(script)").standardized.path
        session = try TerminalSession.spawn(
            executable: "/usr/bin/python3", arguments: ["-B", place, home.path] + words, environment: home.environment)
        try await session.expect("ready ", timeout: .seconds(60))
        port = try await session.expect("\r\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// One that takes mail.
    static func relay(_ words: String..., home: Home) async throws -> MailServer {
        try await MailServer("relay.py", words, home)
    }

    /// One that is unwell in some way until it is told otherwise.
    static func unwell(_ way: String, home: Home) async throws -> MailServer {
        try await MailServer("unwell.py", [way], home)
    }

    /// What a relay took next.
    func mail() async throws -> [String: Any] {
        try await session.expect("{\"sender\"", timeout: .seconds(60))
        let rest = try await session.expect("}\r\n", timeout: .seconds(60))
        return try object("{\"sender\"" + rest)
    }

    /// Tells an unwell server something, and waits until it has heard.
    func tell(_ word: String, until answer: String) async throws {
        try await session.send(word + "\r")
        try await session.expect(answer + "\r\n")
    }

    /// The code in the next mail that an unwell server took.
    func taken() async throws -> (id: String, code: String, recipients: String) {
        try await session.expect("taken ", timeout: .seconds(120))
        let words = try await session.expect("\r\n").split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(words.count == 3)
        return (words[0], words[1], words[2])
    }

    /// The Message-IDs of all mails whose text has come in.
    var ids: Set<String> {
        get async {
            let lines = await session.transcript.components(separatedBy: "\r\n").filter { $0.hasPrefix("text ") }
            return Set(lines.map { String($0.dropFirst(5)) })
        }
    }

    func end() async throws {
        await session.signal(SIGKILL)
        try await session.finish()
    }
}

extension Home {
    /// Has the tenant send mail by a server on this machine.
    func sendMail(by server: MailServer, _ settings: [String: String] = [:]) async throws {
        let all = [
            "smtp_url": "smtp://127.0.0.1:\(server.port)", "smtp_from": "Fjord shop <no-reply@fjord.example>",
            "smtp_ca_file": path + "/ca.pem",
        ].merging(settings) { $1 }
        for (name, value) in all { try await succeed("tenant", "config", "set", name, value) }
    }

    /// The messages in the outbox.
    func outbox() async throws -> [[String: Any]] {
        let list = try object(try await succeed("tenant", "outbox", "list", "--json"))
        #expect(list["schema"] as? Int == 1)
        return try #require(list["messages"] as? [[String: Any]])
    }

    /// Waits until the outbox is as it should be.
    func outbox(until isReached: ([[String: Any]]) -> Bool) async throws -> [[String: Any]] {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let messages = try await outbox()
            if isReached(messages) { return messages }
            try #require(.now < deadline, "\(messages)")
        }
    }
}

/// A sign-up with codes alone, as plain requests to a tenant that is served.
struct PlainSignUp {
    let home: Home
    let address: String
    private(set) var token = ""

    private static let app = "client_id=5a3d1e00-0000-4000-8000-000000000002"

    init(_ home: Home, _ address: String = "ada@example.com", at url: String) async throws {
        self.home = home
        self.address = address
        let answer = try await post(
            url + "/signup/v1.0/start",
            "\(Self.app)&username=\(address)&challenge_type=oob+redirect&attributes=%7B%22country%22%3A%22Norway%22%7D")
        token = try #require(answer.string("continuation_token"))
    }

    /// Asks for a code, and gets the answer.
    mutating func askForCode(at url: String) async throws {
        let answer = try await post(url + "/signup/v1.0/challenge", "\(Self.app)&continuation_token=\(token)")
        #expect(answer.string("challenge_type") == "oob")
        token = try #require(answer.string("continuation_token"))
    }

    /// Gives the code, which has to be right.
    func give(_ code: String, at url: String) async throws {
        let answer = try await post(
            url + "/signup/v1.0/continue", "\(Self.app)&continuation_token=\(token)&grant_type=oob&oob=\(code)")
        #expect(answer.string("continuation_token") != nil, "\(answer)")
    }

    private func post(_ url: String, _ form: String) async throws -> [String: Any] {
        try object(await home.curl("--data", form, url))
    }
}
