// SPDX-License-Identifier: Apache-2.0

import Glibc
import ProgramTesting
import TerminalTesting
import Testing

@Suite("Colours", .inTurns)
struct ColorTests {
    let home: Home

    init() throws { home = try Home() }

    struct Wish: Sendable, CustomTestStringConvertible {
        let flags: [String]
        let environment: [String: String?]
        let isColored: Bool

        init(_ flags: [String], _ environment: [String: String?], _ isColored: Bool) {
            self.flags = flags
            self.environment = environment
            self.isColored = isColored
        }

        var testDescription: String { "\(flags) \(environment.mapValues { $0 ?? "unset" })" }
    }

    static let wishes = [
        Wish([], [:], true), Wish(["--color", "auto"], [:], true), Wish(["--color", "never"], [:], false),
        Wish([], ["NO_COLOR": "1"], false), Wish([], ["NO_COLOR": ""], true), Wish(["--plain"], [:], false),
        Wish([], ["ACCESSIBLE": "1"], false), Wish([], ["TERM": "dumb"], false), Wish([], ["TERM": nil], false),
        Wish([], ["TERM": "vt100"], false), Wish([], ["CLICOLOR": "0"], false),
        Wish([], ["TERM": "vt100", "CLICOLOR_FORCE": "1"], true),
        Wish(["--color", "always"], ["NO_COLOR": "1"], true),
        Wish(["--color", "never"], ["CLICOLOR_FORCE": "1"], false),
        Wish(["--plain", "--color", "always"], [:], true),
    ]

    @Test("what went wrong is red where that is wanted", arguments: wishes)
    func color(wish: Wish) async throws {
        let session = try TerminalSession.spawn(
            executable: BuiltProgram.path("nativeauth"), arguments: ["signup"] + wish.flags,
            environment: home.environment(wish.environment), directory: home.path, capturingOutput: true)
        try await session.answer(Question.email, "ada")
        try await session.expect("That is no mail address that the tenant takes.", timeout: .seconds(60))
        try await session.expect("Email")
        try await session.send(Key.interrupt)
        #expect(try await session.end() == .signal(SIGINT))
        let red = "\u{1B}[31mThat is no mail address that the tenant takes.\u{1B}[39m"
        #expect(await session.transcript.contains(red) == wish.isColored)
        #expect(await session.output == "")
    }

    @Test("an unknown wish is a usage error")
    func unknown() async throws {
        let outcome = try await home.nativeauth("signin", "--color", "red")
        #expect(outcome.ending == .exit(64))
        #expect(outcome.errors.contains("one of auto, always, never"), "\(outcome)")
    }
}
