// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("A new password", .inTurns)
struct ResetPasswordTests {
    let home: Home

    init() throws { home = try Home() }

    private static let other = "An0ther-salmon-9"

    @Test("at a terminal: wrong code, weak password, the old password, and then signed in")
    func dialogue() async throws {
        try await home.signUp("ada@example.com")
        let session = try home.session("reset-password")
        try await session.answer(Question.email, "ada@example.com")
        let shown = try await session.expect(Question.code, timeout: .seconds(60))
        #expect(shown.contains("A code of 8 digits was sent to a***a@ex*****.com."))
        let code = try #require(shown.mailedCode)
        try await session.send(code.another + "\r")
        try await session.expect("The code is wrong, or no longer valid.")
        try await session.answer(Question.code, code)
        try await session.answerNewPassword("aaaaaaaaaa")
        try await session.expect("The password needs three of these")
        try await session.answerNewPassword(Home.password)
        try await session.expect("The password was used before.", timeout: .seconds(60))
        try await session.answerNewPassword(Self.other)
        try await session.expect("The password is new. Signed in as ada@example.com.", timeout: .seconds(60))
        try await session.endWell()
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
        let transcript = await session.transcript
        #expect(!transcript.contains(Self.other) && !transcript.contains(Home.password))
    }

    @Test("without a person; the old password and its session are good for nothing then")
    func script() async throws {
        try await home.signUp("ada@example.com")
        let old = try #require(home.read(home.cache))
        let file = try home.write("new", Self.other)
        let outcome = try await home.nativeauth(
            "reset-password", "-u", "ada@example.com", "--password-file", file, "--otp-command",
            "nativeauth tenant inbox --code --to ada@example.com", "--json")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(try object(outcome.output).object("account").string("username") == "ada@example.com")
        #expect(
            try await home.nativeauth("signin", "-u", "ada@example.com", "--password-file", home.passwordFile()).ending
                == .exit(77))
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", file)
        try home.write(".config/nativeauth/accounts/local.json", old)
        #expect(try await home.nativeauth("token", "--force-refresh").ending == .exit(4))
    }

    @Test("a locked account is opened by it")
    func locked() async throws {
        try await home.succeed("tenant", "config", "set", "lock_threshold", "1")
        try await home.signUp("ada@example.com")
        let wrong = try home.write("wrong", "Wr0ng-password")
        let flags = ["signin", "-u", "ada@example.com", "--password-file"]
        #expect(try await home.run(flags + [wrong])().ending == .exit(77))
        #expect(try await home.run(flags + [home.passwordFile()])().ending == .exit(75))
        let file = try home.write("new", Self.other)
        try await home.succeed(
            "reset-password", "-u", "ada@example.com", "--password-file", file, "--otp-command",
            "nativeauth tenant inbox --code --to ada@example.com")
    }

    @Test("a password that has to be changed is, and the way is named")
    func change() async throws {
        try await home.signUp("ada@example.com")
        try await home.succeed("tenant", "user", "set", "ada@example.com", "--change-password", "on")
        let refused = try await home.nativeauth(
            "signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
        #expect(refused.ending == .exit(77))
        #expect(refused.errors.contains("'nativeauth reset-password'"))
        try await home.succeed(
            "reset-password", "-u", "ada@example.com", "--password-file", try home.write("new", Self.other),
            "--otp-command", "nativeauth tenant inbox --code --to ada@example.com")
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", home.path + "/new")
    }

    @Test("an account without a password has none to reset, and an unknown one is unknown")
    func impossible() async throws {
        try await home.signUpWithCode("ada@example.com")
        let answers = ["--password-command", "echo x", "--otp-command", "true"]
        let none = try await home.run(["reset-password", "-u", "ada@example.com"] + answers)()
        #expect(none.ending == .exit(77))
        #expect(none.errors.hasPrefix("nativeauth: The account has no password that could be reset.\n"))
        let unknown = try await home.run(["reset-password", "-u", "eve@example.com"] + answers)()
        #expect(unknown.ending == .exit(77))
        #expect(unknown.errors.hasPrefix("nativeauth: No account has this address.\n"))
    }
}
