// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The words at the question for a code", .inTurns)
struct CodePromptTests {
    let home: Home

    init() throws { home = try Home() }

    private func signUp(_ more: String..., environment: [String: String?] = [:]) throws -> TerminalSession {
        try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth"),
            arguments: ["signup", "--profile", "local-code", "-u", "ada@example.com", "--attribute", "country=Norway"]
                + more, environment: home.environment(environment), directory: home.path, capturingOutput: true)
    }

    @Test("T43 no new code is asked for before its time, and the countdown shows when that is")
    func t43_countdown() async throws {
        try await home.succeed("tenant", "config", "set", "resend_interval", "4")
        let session = try signUp()
        let first = try #require(try await session.expect("(a new one in 0:0", timeout: .seconds(60)).mailedCode)
        try await session.send("r\r")
        try await session.expect("A new code can be sent in 0:0")
        // The question itself says when. Readline draws what has changed of it and no more.
        try await session.expect("r for a new one")
        try await session.send("r\r")
        let second = try #require(try await session.expect("(a new one in 0:0", timeout: .seconds(60)).mailedCode)
        #expect(first != second)
        try await session.send(first + "\r")
        try await session.expect("The code is wrong, or no longer valid.")
        try await session.answer(Question.code, second)
        try await session.endWell()
        #expect(await session.output == "")
    }

    @Test("T31 the countdown survives every window size, and so does what is typed meanwhile")
    func t31_resize() async throws {
        try await home.succeed("tenant", "config", "set", "resend_interval", "3")
        let session = try signUp()
        let code = try #require(try await session.expect("(a new one in 0:0", timeout: .seconds(60)).mailedCode)
        try await session.send(String(code.prefix(4)))
        for columns: UInt16 in [20, 1, 7, 200, 1, 80] { await session.resize(columns: columns, rows: columns) }
        try await session.expect("r for a new one")
        try await session.send(String(code.dropFirst(4)) + "\r")
        try await session.endWell()
    }

    @Test("in plain mode nothing counts, and r says how long it is", arguments: [["--plain"], []])
    func plain(flags: [String]) async throws {
        try await home.succeed("tenant", "config", "set", "resend_interval", "300")
        let session = try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth"),
            arguments: ["signup", "--profile", "local-code", "-u", "ada@example.com", "--attribute", "country=Norway"]
                + flags,
            environment: home.environment(flags.isEmpty ? ["ACCESSIBLE": "1"] : [:]), directory: home.path)
        let question = "Code of 8 digits (r for a new one, ? for help): "
        let code = try #require(try await session.answer(question, "r").mailedCode)
        try await session.expect("A new code can be sent in ")
        try await session.answer(question, code)
        try await session.endWell()
        #expect(await !session.transcript.contains("\u{1B}"))
    }

    @Test("? tells the words", arguments: ["xterm", "dumb"])
    func help(type: String) async throws {
        let session = try signUp(environment: ["TERM": type])
        let code = try #require(try await session.answer(Question.code, "?").mailedCode)
        try await session.expect("The code has 8 digits and went to a***a@ex*****.com.")
        try await session.expect("r: have a new one sent, in ")
        try await session.expect("c: type another address, should this one be wrong.")
        try await session.expect("Ctrl-C: cancel.")
        try await session.answer(Question.code, code)
        try await session.endWell()
    }

    @Test("c and < lead back to the address, which can be mended", arguments: ["c", "<"])
    func otherAddress(word: String) async throws {
        let session = try home.session("signup", "--profile", "local-code", "--attribute", "country=Norway")
        try await session.answer(Question.email, "ada@exmaple.com")
        try await session.answer(Question.code, word)
        try await session.expect("Email: ")
        // The address stands there; its last characters are typed anew.
        try await session.send(String(repeating: "\u{7F}", count: "maple.com".count) + "ample.com\r")
        let shown = try await session.expect(Question.code, timeout: .seconds(60))
        #expect(shown.contains("Mail of the local tenant to ada@example.com;"))
        try await session.send(try #require(shown.mailedCode) + "\r")
        try await session.expect("Signed up and signed in as ada@example.com.", timeout: .seconds(60))
        try await session.endWell()
    }

    @Test("< leads back from the password of a sign-in, too")
    func otherAccount() async throws {
        try await home.signUp("ada@example.com")
        try await home.signUp("eve@example.com")
        let session = try home.session("signin")
        try await session.answer(Question.email, "eve@example.com")
        try await session.answer(Question.password, "<")
        try await session.answer(Question.email, Key.clear + "ada@example.com")
        try await session.answer(Question.password, Home.password)
        try await session.expect("Signed in as ada@example.com.", timeout: .seconds(60))
        try await session.endWell()
    }

    @Test("T44 an expired code is called that, and a new one is at hand")
    func t44_expired() async throws {
        try await home.succeed("tenant", "config", "set", "code_lifetime", "1")
        try await home.succeed("tenant", "config", "set", "resend_interval", "0")
        let session = try signUp()
        let code = try #require(try await session.expect(Question.code, timeout: .seconds(60)).mailedCode)
        try await session.expect("r for a new one")
        // A code's life is measured by the clock, in whole seconds.
        let expiry = Date().addingTimeInterval(2.1)
        while Date() < expiry { try await Task.sleep(until: .now + .seconds(expiry.timeIntervalSinceNow)) }
        try await session.send(code + "\r")
        try await session.expect("The code is wrong, or no longer valid.")
        try await home.succeed("tenant", "config", "set", "code_lifetime", "600")
        try await session.answer(Question.code, "r")
        try await session.answerCode()
        try await session.endWell()
        #expect(await session.output == "")
    }

    @Test("T44 a conversation that the tenant has closed starts again, if the person wants that")
    func t44_closed() async throws {
        try await home.succeed("tenant", "config", "set", "flow_lifetime", "5")
        let session = try signUp()
        let code = try #require(try await session.expect(Question.code, timeout: .seconds(60)).mailedCode)
        let expiry = Date().addingTimeInterval(6.1)
        while Date() < expiry { try await Task.sleep(until: .now + .seconds(expiry.timeIntervalSinceNow)) }
        try await home.succeed("tenant", "config", "set", "flow_lifetime", "600")
        try await session.send(code + "\r")
        try await session.expect("That took too long, and the tenant has closed the conversation.")
        try await session.answer("Start again? [Y/n] ", "")
        try await session.answerCode()
        try await session.endWell()
    }

    @Test("T45 a tenant that wants a pause is asked again after it, at the same question")
    func t45_rateLimited() async throws {
        let started = LyingServerTests.Lie.reply("200 OK", #"{"continuation_token": "one"}"#)
        let sent = LyingServerTests.Lie.reply(
            "200 OK",
            #"""
            {"continuation_token": "two", "challenge_type": "oob", "binding_method": "prompt",
             "challenge_channel": "email", "challenge_target_label": "a***a@example.com", "code_length": 8}
            """#)
        let pause = LyingServerTests.Lie.reply(
            "429 Too Many Requests", #"{"error": "invalid_request"}"#, more: "Retry-After: 7\r\n")
        let server = try LyingServer(answers: [started, sent, pause])
        let session = try home.session(
            "signup", "-u", "ada@example.com", "--authority", server.address, "--client-id", "x", capturingOutput: true)
        try await session.answer(Question.code, "12345678")
        try await session.expect("The tenant asks to slow down. Try again in 7 seconds.", timeout: .seconds(60))
        try await session.expect(Question.code)
        try await session.send(Key.endOfInput)
        #expect(try await session.end() == .exit(66))
        #expect(await session.output == "")
        withExtendedLifetime(server) {}
    }
}
