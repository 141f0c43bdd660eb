// SPDX-License-Identifier: Apache-2.0

import Console
import Testing

@Suite("Manual pages")
struct ManualTests {
    private static let tool = ProgramOutline(
        name: "tool part", summary: "a tool", description: "First.\n\n.Second",
        examples: [Example("tool 'x' \\ ~", "Quotes stay quotes.")],
        commands: [Copy.outline],
        topics: [
            Topic(
                "files", heading: "FILES", summary: "What is where",
                parts: [.table("Files", [Topic.Row("~/.x", ".dot first")]), .text("One.\n\n  { }\n  .\n\nTwo…")])
        ], seeAlso: ["other"])

    @Test("hold the table, the topics, and nothing that the formatter would obey")
    func snapshot() {
        let page = Manual(Self.tool, version: "1.0").source
        #expect(
            page == #"""
                .TH TOOL\-PART 1 "" "nativeauth 1.0" "User Commands"
                .nh
                .ad l
                .SH NAME
                tool\-part \- a tool
                .SH SYNOPSIS
                .B tool part
                .I COMMAND
                [flags]
                .SH DESCRIPTION
                First.
                .PP
                \&.Second
                .SH EXAMPLES
                .TP
                .B $ tool \(aqx\(aq \e \(ti
                Quotes stay quotes.
                .SH COMMANDS
                .SS copy [flags] SOURCE TARGET...
                Copy an account.
                .TP
                .B SOURCE
                From.
                .TP
                .B TARGET...
                To.
                .TP
                .B \-\-reason TEXT
                Why.
                .SH FILES
                What is where.
                .SS Files
                .TP
                .B \(ti/.x
                \&.dot first
                .PP
                One.
                .PP
                .EX
                  { }
                  .
                .EE
                .PP
                Two\[u2026]
                .SH SEE ALSO
                \fBother\fP(1)

                """#)
    }

    @Test("describe rows that commands share once")
    func shared() {
        struct Other: Command {
            var shared = Register.Shared()
            static let name = "other"
            static let summary = "Do something else"
            static var parameters: [Parameter<Other>] { Register.Shared.rows.within(\.shared, section: "Global flags") }
        }
        let tool = ProgramOutline(name: "tool", summary: "a tool", commands: [Register.outline, Other.outline])
        let page = Manual(tool, version: "1").source
        #expect(page.split(separator: "\n").filter { $0.contains("\\-\\-profile") }.count == 1)
        #expect(page.split(separator: "\n").filter { $0 == "Takes the flags under Global flags, too." }.count == 2)
        #expect(page.contains("\n.SS Flags: Global flags\n"))
    }
}
