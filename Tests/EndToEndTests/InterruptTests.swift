// SPDX-License-Identifier: Apache-2.0

import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Leaving in the middle", .inTurns)
struct InterruptTests {
    let home: Home

    init() throws { home = try Home() }

    /// Every prompt of a sign-up, in its order.
    enum Prompt: Int, CaseIterable {
        case email, code, newPassword, again, country, city
    }

    /// A sign-up that waits at a prompt.
    private func signUp(until prompt: Prompt) async throws -> TerminalSession {
        let session = try home.session("signup")
        let questions = [
            Question.email, Question.code, Question.newPassword, Question.again, Question.country, Question.city,
        ]
        for step in Prompt.allCases {
            let shown = try await session.expect(questions[step.rawValue], timeout: .seconds(60))
            if step == prompt { break }
            switch step {
            case .email: try await session.send("ada@example.com\r")
            case .code: try await session.send(try #require(shown.mailedCode) + "\r")
            case .newPassword, .again: try await session.send(Home.password + "\r")
            case .country, .city: try await session.send("Norway\r")
            }
        }
        return session
    }

    /// Nothing of it is left, so the same sign-up works again.
    private func expectNoAccount() async throws {
        #expect(home.read(home.cache) == nil)
        #expect(try await home.nativeauth("token").ending == .exit(4))
        try await home.signUp("ada@example.com")
    }

    @Test("Rule 123, T21: Ctrl-C ends it by the signal", arguments: Prompt.allCases)
    func interrupt(prompt: Prompt) async throws {
        let session = try await signUp(until: prompt)
        try await session.send("x" + Key.interrupt)
        #expect(try await session.end() == .signal(SIGINT))
        try await expectNoAccount()
    }

    @Test("T24 Ctrl-D ends the input", arguments: Prompt.allCases)
    func endOfInput(prompt: Prompt) async throws {
        let session = try await signUp(until: prompt)
        try await session.send(Key.endOfInput)
        try await session.expect("The input ended.")
        #expect(try await session.end() == .exit(66))
        try await expectNoAccount()
    }

    @Test("Rule 123, T30: a closed window ends it", arguments: Prompt.allCases)
    func hangUp(prompt: Prompt) async throws {
        let session = try await signUp(until: prompt)
        await session.hangUp()
        let ending = try await session.finish(timeout: .seconds(60))
        #expect(ending == .signal(SIGHUP) || ending == .exit(66))
        try await expectNoAccount()
    }

    @Test("Rule 123, T27: a signal from outside ends it by the signal", arguments: Prompt.allCases, [SIGTERM, SIGHUP])
    func terminate(prompt: Prompt, signal: Int32) async throws {
        let session = try await signUp(until: prompt)
        await session.signal(signal)
        #expect(try await session.end() == .signal(signal))
        #expect(home.read(home.cache) == nil)
        #expect(try await home.nativeauth("token").ending == .exit(4))
    }

    @Test("Rules 121 and 123, T26: Ctrl-\\ at a secret prompt leaves the terminal as it was, and no core file")
    func t26_quit() async throws {
        let session = try await signUp(until: .newPassword)
        try await session.send("secret" + Key.quit)
        #expect(try await session.end() == .signal(SIGQUIT))
        #expect(home.names(in: home.path).allSatisfy { !$0.hasPrefix("core") })
        #expect(await !session.transcript.contains("secret"))
    }

    @Test("T32 killed at a secret prompt it leaves nothing that the next run minds")
    func t32_killed() async throws {
        try await home.signUp("ada@example.com")
        let cached = home.read(home.cache)
        // dash leaves the terminal as the killed program had it: without echo.
        let session = try TerminalSession.spawn(
            executable: "/bin/dash", arguments: ["-i"],
            environment: home.environment(["PS1": "ready> ", "ENV": nil]), directory: home.path)
        try await session.expect("ready> ")
        for attempt in 1...2 {
            try await session.send("nativeauth signin -u ada@example.com\r")
            try await session.expect(Question.password, timeout: .seconds(60))
            #expect(await !session.modes.echoIsOn)
            if attempt == 1 {
                kill(try await session.foreground, SIGKILL)
                try await session.expect("Killed")
                try await session.expect("ready> ")
                #expect(home.read(home.cache) == cached)
            }
        }
        try await session.send(Home.password + "\r")
        try await session.expect("Signed in as ada@example.com.", timeout: .seconds(60))
        try await session.send("exit\r")
        try await session.finish(terminalMayChange: true)
        #expect(await !session.transcript.contains(Home.password))
    }

    @Test(
        "T28 T33 in the background it waits for the foreground, and a stop gives the shell its echo",
        arguments: ["/bin/bash", "/bin/dash"])
    func t33_background(shell: String) async throws {
        try await home.signUp("ada@example.com")
        let session = try TerminalSession.spawn(
            executable: shell, arguments: shell == "/bin/bash" ? ["--norc", "--noprofile", "-i"] : ["-i"],
            environment: home.environment(["PS1": "ready> ", "HISTFILE": "", "ENV": nil]), directory: home.path)
        try await session.expect("ready> ")
        try await session.send("nativeauth signin -u ada@example.com &\r")
        try await session.expect("ready> ")
        try await session.send("until grep -q ') T ' /proc/$!/stat; do :; done; printf 'job=%s\\n' stopped\r")
        try await session.expect("job=stopped", timeout: .seconds(60))
        try await session.send("fg\r")
        try await session.expect(Question.password, timeout: .seconds(60))
        try await session.send("half\u{1A}")
        try await session.expect("ready> ", timeout: .seconds(60))
        try await session.send("stty -a | grep -q ' echo ' && printf 'echo=%s\\n' on\r")
        try await session.expect("echo=on\r\n")
        try await session.send("fg\r")
        try await session.expect(Question.password)
        #expect(await !session.modes.echoIsOn)
        try await session.send(Home.password + "\r")
        try await session.expect("Signed in as ada@example.com.", timeout: .seconds(60))
        try await session.send("exit\r")
        _ = try await session.finish()
        let transcript = await session.transcript
        #expect(!transcript.contains("half") && !transcript.contains(Home.password))
    }

    @Test("T21 Ctrl-C at the questions of a sign-in", arguments: [false, true])
    func signIn(atPassword: Bool) async throws {
        try await home.signUp("ada@example.com")
        let cached = home.read(home.cache)
        let session = try home.session("signin")
        try await session.expect(Question.email)
        if atPassword {
            try await session.send("ada@example.com\r")
            try await session.expect(Question.password, timeout: .seconds(60))
            #expect(await !session.modes.echoIsOn)
        }
        try await session.send(Key.interrupt)
        #expect(try await session.end() == .signal(SIGINT))
        #expect(home.read(home.cache) == cached, "who was signed in still is")
    }
}
