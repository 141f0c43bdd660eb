// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

@Suite("Help texts")
struct HelpTests {
    @Test("show everything that the table says")
    func snapshot() {
        #expect(
            Register.help(program: "nativeauth") == """
                Create an account.

                Usage:
                  nativeauth signup [flags] [FILE]

                Examples:
                  $ nativeauth signup
                      Ask for everything.
                  $ nativeauth signup --username ada@example.com

                Arguments:
                  FILE  Where the answers are.

                Flags:
                  -u, --username EMAIL       The address to register.
                      --method METHOD        How to prove who you are. One of: otp, password.
                      --attribute KEY=VALUE  A fact about the account, such as country=Norway;
                                             may be given several times.
                      --timeout SECONDS      How long to wait.
                      --retries COUNT        How often to try again.
                  -p, --password             Ask for a password, not only a code.

                Global flags:
                  -j, --json          Print one JSON object.
                      --profile NAME  Use this profile.
                  -d, --debug         Say what happens.

                The account is created when its address is proven. What has been entered is kept
                until then, so that nothing is asked twice.

                  kept: 24 hours

                """)
    }

    @Test("name what is required on the usage line")
    func usage() {
        #expect(Copy.usage == "[flags] SOURCE TARGET...")
        #expect(Run.usage == "[flags] COMMAND...")
    }

    @Test("stay within the width, as far as words allow", arguments: [40, 60, 80, 120])
    func width(columns: Int) {
        let lines = Register.help(program: "nativeauth", columns: columns).split(separator: "\n")
        let free = lines.filter { !$0.contains("$ ") }
        #expect(free.allSatisfy { $0.count <= max(columns, 50) })
    }

    @Test("name the choices before the variables that stand for an option")
    func choicesAndVariables() {
        struct Paint: Command {
            enum When: String, CaseIterable { case always, never }
            var when: When?
            static let name = "paint"
            static let summary = "Paint"
            static var parameters: [Parameter<Paint>] {
                [.option("--color", value: "WHEN", to: \.when, help: "When to. [NO_COLOR]")]
            }
        }
        #expect(Paint.help(program: "tool").contains("When to. One of: always, never. [NO_COLOR]\n"))
        #expect(Paint.outline.rows[0].text == "When to. One of: always, never. [NO_COLOR]")
    }

    @Test("put a long term on a line of its own")
    func longTerm() {
        let table = Help.table([("short", "One."), ("a-term-that-is-much-longer-than-others", "Two.")])
        #expect(table == ["  short  One.", "  a-term-that-is-much-longer-than-others", "         Two."])
    }
}
