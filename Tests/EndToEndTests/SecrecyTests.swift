// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The password stays secret", .inTurns)
struct SecrecyTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("Rule 122, T35: at a terminal: not shown, not in an argument list, an environment or a file")
    func terminal() async throws {
        let session = try home.session("signup", "-u", "ada@example.com")
        try await session.answerCode()
        try await session.answerNewPassword()
        try await session.expect(Question.country, timeout: .seconds(60))
        let process = await session.program
        for name in ["cmdline", "environ"] {
            let text = try #require(home.read("/proc/\(process)/\(name)"))
            #expect(!text.isEmpty && !text.contains(Home.password))
        }
        try await session.send("Norway\r")
        try await session.answer(Question.city, "")
        try await session.endWell()
        #expect(await !session.transcript.contains(Home.password))
        try expectNowhere()
    }

    @Test("Rule 122: without one: from a file, a command or standard input, the commands see it neither")
    func scripts() async throws {
        let look = "cat /proc/self/cmdline /proc/self/environ /proc/$PPID/cmdline >>\(home.path)/seen; "
        let password = try home.passwordFile()
        let outcome = try await home.nativeauth(
            "signup", "-u", "ada@example.com", "--password-command", "cat \(password)", "--attribute", "country=Norway",
            "--otp-command", look + "nativeauth tenant inbox --code --to ada@example.com")
        #expect(outcome.ending == .exit(0), "\(outcome)")
        #expect(!outcome.output.contains(Home.password) && !outcome.errors.contains(Home.password))
        let seen = try #require(home.read(home.path + "/seen"))
        #expect(seen.contains("ada@example.com") && !seen.contains(Home.password))
        try FileManager.default.removeItem(atPath: password)
        try expectNowhere()
    }

    @Test("Rule 122: it cannot be given as a flag's value", arguments: ["--password", "--otp", "--token"])
    func noFlag(name: String) async throws {
        var run = home.run(["signin", "-u", "ada@example.com", name, Home.password])
        run.discretion = .none
        let outcome = try await run()
        #expect(outcome.ending == .exit(64))
        #expect(!outcome.errors.contains(Home.password))
    }

    @Test("an answer that is refused is not repeated in the message")
    func refused() async throws {
        try await home.signUp("ada@example.com")
        var run = home.run(["signin", "-u", "ada@example.com", "--password-stdin", "--json"])
        run.input = .text("Wr0ng-password")
        let outcome = try await run()
        #expect(outcome.ending == .exit(77))
        #expect(!outcome.errors.contains("Wr0ng-password"))
    }

    /// Looks through every file below the home folder.
    private func expectNowhere(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let files = try #require(FileManager.default.enumerator(atPath: home.path))
        let wanted = Data(Home.password.utf8)
        for case let name as String in files {
            guard let data = try? Data(contentsOf: URL(filePath: home.path + "/" + name)) else { continue }
            #expect(data.firstRange(of: wanted) == nil, "\(name)", sourceLocation: sourceLocation)
        }
    }
}
