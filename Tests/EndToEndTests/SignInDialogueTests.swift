// SPDX-License-Identifier: Apache-2.0

import ProgramTesting
import TerminalTesting
import Testing

@Suite("Signing in at a terminal", .inTurns)
struct SignInDialogueTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("with the password, after a wrong one")
    func password() async throws {
        try await home.signUp("ada@example.com")
        try await home.succeed("signout")
        let session = try home.session("signin")
        try await session.answer(Question.email, "ada@example.com")
        try await session.answer(Question.password, "Wr0ng-password")
        try await session.expect("The password is wrong.", timeout: .seconds(60))
        try await session.answer(Question.password, Home.password)
        try await session.expect("Signed in as ada@example.com. The token is valid until ", timeout: .seconds(60))
        try await session.endWell()
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
    }

    @Test("three wrong passwords are enough, and the account is not locked by them")
    func threeWrong() async throws {
        try await home.signUp("ada@example.com")
        try await home.succeed("signout")
        let session = try home.session("signin", "-u", "ada@example.com")
        for _ in 1...3 {
            try await session.answer(Question.password, "Wr0ng-password")
            try await session.expect("The password is wrong.", timeout: .seconds(60))
        }
        #expect(try await session.end() == .exit(77))
        #expect(home.read(home.cache)?.contains("access_token") != true)
        #expect(try await home.nativeauth("token").ending == .exit(4))
        try await home.succeed("signin", "-u", "ada@example.com", "--password-file", try home.passwordFile())
    }

    @Test("a locked account is told to wait")
    func locked() async throws {
        try await home.succeed("tenant", "config", "set", "lock_threshold", "2")
        try await home.signUp("ada@example.com")
        let session = try home.session("signin", "-u", "ada@example.com")
        // The same wrong password twice would count once.
        for password in ["Wr0ng-password", "An0ther-wrong-one"] {
            try await session.answer(Question.password, password)
            try await session.expect("The password is wrong.", timeout: .seconds(60))
        }
        try await session.answer(Question.password, Home.password)
        try await session.expect("The account is locked for a while", timeout: .seconds(60))
        #expect(try await session.end() == .exit(75))
    }

    @Test("with a code, after a wrong one")
    func code() async throws {
        try await home.signUpWithCode("ada@example.com")
        try await home.succeed("signout", "--profile", "local-code")
        let session = try home.session("signin", "--profile", "local-code")
        try await session.answer(Question.email, "ada@example.com")
        let shown = try await session.expect(Question.code, timeout: .seconds(60))
        let code = try #require(shown.mailedCode)
        try await session.send(code.another + "\r")
        try await session.expect("The code is wrong, or no longer valid.")
        try await session.answer(Question.code, code)
        try await session.expect("Signed in as ada@example.com.")
        try await session.endWell()
        #expect(try await home.succeed("whoami", "--profile", "local-code") == "ada@example.com\n")
    }

    @Test("the code of the sign-up is no code for a sign-in")
    func oldCode() async throws {
        try await home.signUpWithCode("ada@example.com")
        let old = try await home.code(for: "ada@example.com")
        let session = try home.session("signin", "--profile", "local-code", "-u", "ada@example.com")
        let shown = try await session.answer(Question.code, old)
        let code = try #require(shown.mailedCode)
        if code != old { try await session.expect("The code is wrong, or no longer valid.") }
        try await session.answer(Question.code, code)
        try await session.endWell()
    }

    @Test("an account that does not exist ends it, and the way to one is named", arguments: ["local", "local-code"])
    func unknown(profile: String) async throws {
        let session = try home.session("signin", "--profile", profile)
        try await session.answer(Question.email, "not an address")
        try await session.expect("That is no mail address that the tenant takes.", timeout: .seconds(60))
        try await session.answer(Question.email, Key.clear + "eve@example.com")
        try await session.expect("No account has this address.", timeout: .seconds(60))
        try await session.expect("Sign up first: 'nativeauth signup'.")
        #expect(try await session.end() == .exit(77))
    }

    @Test("login and logout are understood")
    func otherWords() async throws {
        try await home.signUp("ada@example.com")
        #expect(try await home.nativeauth("logout").errors == "Signed out ada@example.com.\n")
        #expect(try await home.nativeauth("logout").errors == "Nobody was signed in.\n")
        let session = try home.session("login", "-u", "ada@example.com")
        try await session.answer(Question.password, Home.password)
        try await session.endWell()
    }
}
