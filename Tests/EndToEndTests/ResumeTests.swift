// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Going on after an interruption", .inTurns)
struct ResumeTests {
    let home: Home

    init() throws { home = try Home() }

    private var kept: String { home.path + "/.local/state/nativeauth/flows/local.json" }
    private static let inbox = "nativeauth tenant inbox --code --to ada@example.com"

    /// A sign-up that is killed while it waits for the code.
    private func killedSignUp(_ flags: String..., profile: String = "local") async throws {
        let session = try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth"),
            arguments: ["signup", "-u", "ada@example.com", "--profile", profile] + flags,
            environment: home.environment, directory: home.path)
        try await session.expect(Question.code, timeout: .seconds(60))
        await session.signal(SIGKILL)
        #expect(try await session.finish() == .signal(SIGKILL))
    }

    @Test("a sign-up that was killed while it waited for the code is finished by a script")
    func script() async throws {
        try await killedSignUp()
        let mode = try FileManager.default.attributesOfItem(atPath: kept)[.posixPermissions] as? Int
        let folder = (kept as NSString).deletingLastPathComponent
        let folderMode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(mode == 0o600 && folderMode == 0o700)
        #expect(home.names(in: folder) == ["local.json"])
        let outcome = try await home.nativeauth(
            "signup", "--resume", "--password-file", try home.passwordFile(), "--attribute", "country=Norway",
            "--otp-command", Self.inbox)
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
        #expect(home.names(in: folder) == [], "nothing is left of it")
        #expect(home.names(in: home.tenantFolder + "/mail").count { !$0.hasPrefix(".") } == 1, "one code was sent")
    }

    @Test("a person goes on, is interrupted again, and goes on")
    func person() async throws {
        try await killedSignUp()
        let second = try home.session("signup", "--resume")
        try await second.answer(Question.code, try await home.code(for: "ada@example.com"))
        try await second.expect(Question.newPassword, timeout: .seconds(60))
        try await second.send(Key.interrupt)
        #expect(try await second.end() == .signal(SIGINT))
        #expect(home.read(kept)?.contains(Home.password) == false)
        let third = try home.session("signup", "--resume")
        try await third.answerNewPassword()
        try await third.answer(Question.country, "Norway")
        try await third.answer(Question.city, "")
        try await third.endWell()
        #expect(try await home.succeed("whoami") == "ada@example.com\n")
        #expect(home.read(kept) == nil)
    }

    @Test("another program goes on with what a person began")
    func peer() async throws {
        try await killedSignUp()
        let answers = try home.write(
            "answers",
            """
            {"code": "\(try await home.code(for: "ada@example.com"))"}
            {"new_password": "\(Home.password)"}
            {"attributes": {"country": "Norway"}}

            """)
        let outcome = try await home.shell("nativeauth signup --resume --protocol jsonl <\(answers)")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.output.hasPrefix(#"{"ask":"code","#) && outcome.output.contains(#"{"done":{"#))
    }

    @Test("a sign-in with a code, and a reset")
    func others() async throws {
        try await home.signUp("ada@example.com")
        try await home.signUpWithCode("eve@example.com")
        for (command, profile, address) in [
            ("signin", "local-code", "eve@example.com"), ("reset-password", "local", "ada@example.com"),
        ] {
            let session = try home.session(command, "--profile", profile, "-u", address)
            try await session.expect(Question.code, timeout: .seconds(60))
            await session.signal(SIGKILL)
            _ = try await session.finish()
            let outcome = try await home.nativeauth(
                command, "--resume", "--profile", profile, "--otp-command",
                "nativeauth tenant inbox --code --to \(address)", "--password-command", "echo N3w-Tr0ub4dor-4")
            #expect(outcome.ending == .exit(0), "\(outcome)")
        }
        #expect(home.names(in: home.path + "/.local/state/nativeauth/flows") == [])
    }

    @Test("--no-resume keeps nothing, and where nothing was interrupted nothing goes on: 66")
    func nothing() async throws {
        try await killedSignUp("--no-resume")
        #expect(home.read(kept) == nil)
        let outcome = try await home.nativeauth("signup", "--resume")
        #expect(outcome.ending == .exit(66), "\(outcome)")
        #expect(outcome.errors.hasPrefix("nativeauth: Nothing was interrupted that could go on.\n"))
        let both = try await home.nativeauth("signup", "--resume", "--no-resume")
        #expect(both.ending == .exit(64))
    }

    @Test("a file of another flow, tenant, person or time, or one that is none, is refused with the reason")
    func foreign() async throws {
        try await killedSignUp()
        let text = try #require(home.read(kept))
        func attempt(_ status: Int32, _ words: String, _ flags: String...) async throws {
            let outcome = try await home.run((flags.first == "signin" ? [] : ["signup"]) + flags + ["--resume"])()
            #expect(outcome.ending == .exit(status), "\(outcome)")
            #expect(outcome.errors.contains(words) && outcome.output.isEmpty, "\(outcome)")
        }
        try await attempt(65, "What was interrupted is no signin, but a signup.", "signin")
        try await attempt(65, "is about ada@example.com", "-u", "eve@example.com")
        try await attempt(65, "another tenant or another app", "--client-id", "00000000-0000-0000-0000-000000000000")
        try home.write(".local/state/nativeauth/flows/other.json", text)
        try await attempt(78, "There is no profile 'other'", "--profile", "other")
        let stale = text.replacing(/"expires_at":"[^"]*"/, with: #""expires_at":"2020-01-01T00:00:00Z""#)
        for (content, words) in [
            (stale, "too old"), (text.replacing(#""schema":1"#, with: #""schema":2"#), "another version"),
            ("", "is damaged"), (String(text.dropLast(9)), "is damaged"),
            (String(repeating: "x", count: 70_000), "is damaged"),
        ] {
            try home.write(".local/state/nativeauth/flows/local.json", content)
            #expect(try await home.shell("chmod 600 '\(kept)'").ending == .exit(0))
            try await attempt(65, words)
            #expect((home.read(kept) == nil) == (content == stale), "what is too old is forgotten")
        }
    }

    @Test(
        "a flow that the tenant has closed is forgotten, also where the person does not start again",
        arguments: [true, false])
    func expired(hasPerson: Bool) async throws {
        try await home.succeed("tenant", "config", "set", "flow_lifetime", "5")
        try await killedSignUp()
        let expiry = Date().addingTimeInterval(6.1)
        while Date() < expiry { try await Task.sleep(until: .now + .seconds(expiry.timeIntervalSinceNow)) }
        if hasPerson {
            let session = try home.session("signup", "--resume")
            try await session.answer(Question.code, "12345678")
            try await session.answer("Start again? [Y/n] ", "n")
            #expect(try await session.end() == .exit(77))
        } else {
            let outcome = try await home.nativeauth("signup", "--resume", "--otp-command", Self.inbox)
            #expect(outcome.ending == .exit(77), "\(outcome)")
            #expect(outcome.errors.contains("That took too long"), "\(outcome)")
        }
        #expect(home.read(kept) == nil)
    }

    @Test("another one's flow stays when this one has ended")
    func anotherFlow() async throws {
        for address in ["ada@example.com", "eve@example.com"] { try await home.signUpWithCode(address) }
        let flags = ["signin", "--profile", "local-code", "-u"]
        func begun(_ address: String) async throws -> TerminalSession {
            try TerminalSession.spawn(
                executable: BuiltProgram.path("nativeauth"), arguments: flags + [address],
                environment: home.environment, directory: home.path)
        }
        let ada = try await begun("ada@example.com")
        try await ada.expect(Question.code, timeout: .seconds(60))
        let eve = try await begun("eve@example.com")
        try await eve.expect(Question.code, timeout: .seconds(60))
        await eve.signal(SIGKILL)
        _ = try await eve.finish()
        try await ada.send(try await home.code(for: "ada@example.com") + "\r")
        try await ada.endWell()
        let outcome = try await home.nativeauth(
            "signin", "--profile", "local-code", "--resume", "--otp-command",
            "nativeauth tenant inbox --code --to eve@example.com")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(try await home.succeed("whoami", "--profile", "local-code") == "eve@example.com\n")
    }

    @Test("a sign-out forgets what the account was in the middle of, and nobody else's")
    func signOut() async throws {
        try await home.signUp("ada@example.com")
        try await home.signUp("eve@example.com")
        let session = try home.session("reset-password", "-u", "ada@example.com")
        try await session.expect(Question.code, timeout: .seconds(60))
        await session.signal(SIGKILL)
        _ = try await session.finish()
        try await home.succeed("signout", "--account", "eve@example.com")
        #expect(home.read(kept)?.contains("ada@example.com") == true)
        try await home.succeed("signout", "--account", "ada@example.com")
        #expect(home.read(kept) == nil)
    }

    @Test("the pause before a new code began when the code was sent")
    func countdown() async throws {
        try await home.succeed("tenant", "config", "set", "resend_interval", "3600")
        try await killedSignUp()
        let text = try #require(home.read(kept))
        func resume(_ text: String, _ said: String, _ question: String) async throws {
            try home.write(".local/state/nativeauth/flows/local.json", text)
            #expect(try await home.shell("chmod 600 '\(kept)'").ending == .exit(0))
            let session = try home.session("signup", "--resume")
            try await session.expect("a***a@ex*****.com" + said, timeout: .seconds(60))
            try await session.expect(question)
            try await session.send(Key.interrupt)
            #expect(try await session.end() == .signal(SIGINT))
        }
        func sent(_ minutes: Double) -> String {
            let time = Date().addingTimeInterval(-60 * minutes).formatted(.iso8601)
            return text.replacing(/"code_sent_at":"[^"]*"/, with: #""code_sent_at":"\#(time)""#)
        }
        #expect(sent(0) != text || text.contains("code_sent_at"))
        try await resume(sent(0.1), " less than a minute ago.", "(a new one in 59:")
        try await resume(sent(1.5), " 1 minute ago.", "(a new one in 58:")
        try await resume(sent(40.5), " 40 minutes ago.", "(a new one in 19:")
        try await resume(sent(61), " 61 minutes ago.", "(r for a new one")
        // A clock that was set back, and a file from before there was such a time.
        try await resume(sent(-10), " less than a minute ago.", "(a new one in 60:00")
        try await resume(text.replacing(/"code_sent_at":"[^"]*",/, with: ""), ".", "(a new one in ")
    }

    @Test(
        "a file that others can read, or that is no file of its own, is not trusted: 78",
        arguments: [
            "chmod 640 \"$F\"", "mv \"$F\" x; ln -s \"$PWD/x\" \"$F\"", "ln \"$F\" x", "rm \"$F\"; mkfifo \"$F\"",
        ])
    func unsafe(script: String) async throws {
        try await killedSignUp()
        #expect(try await home.shell("cd; \(script)", environment: ["F": kept]).ending == .exit(0))
        let outcome = try await home.nativeauth("signup", "--resume")
        #expect(outcome.ending == .exit(78), "\(outcome)")
        #expect(outcome.errors.contains("is not to be trusted"))
    }

    @Test("what the tenant does not know any more is refused in its words; the next one is not disturbed")
    func closed() async throws {
        try await killedSignUp()
        let text = try #require(home.read(kept))
        // A token that is not known any more.
        try home.write(
            ".local/state/nativeauth/flows/local.json",
            text.replacing(/"token":"[^"]*"/, with: #""token":"AQABAAEAAAD""#))
        #expect(try await home.shell("chmod 600 '\(kept)'").ending == .exit(0))
        let outcome = try await home.nativeauth("signup", "--resume", "--otp-command", Self.inbox)
        #expect(outcome.ending == .exit(77), "\(outcome)")
        #expect(outcome.errors.contains("The continuation token is not valid."), "\(outcome)")
        #expect(home.read(kept) == nil, "nothing can go on from there")
        try await home.signUp("ada@example.com")
        #expect(home.read(kept) == nil)
    }

    @Test("a place where nothing can be kept is said, and stops nothing")
    func noPlace() async throws {
        let outcome = try await home.run(
            try home.signUpFlags("ada@example.com"), environment: ["XDG_STATE_HOME": "/dev/null"])()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(outcome.errors.occurrences(of: "there is no going on after an interruption") == 1)
    }
}
