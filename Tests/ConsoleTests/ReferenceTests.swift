// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Console

@Suite("References")
struct ReferenceTests {
    private struct Move: Command {
        var shared = Register.Shared()
        static let name = "move it"
        static let summary = "Move <everything>"
        static var parameters: [Parameter<Move>] { Register.Shared.rows.within(\.shared, section: "Global_flags") }
        static var discussion: String { "1. first, `so`.\n\n  { a }\n    b\n\n# no heading\n- no list" }
    }

    private static let tool = ProgramOutline(
        name: "tool part", summary: "a *tool*", description: "It's 'a | b', isn't it?\n\n+ no list",
        examples: [Example("tool 'x' | y", "Use <it>."), Example("tool ```")],
        commands: [Copy.outline, Register.outline.under("Global_flags"), Move.outline], aliases: ["mv": "move it"],
        topics: [
            Topic(
                "files", heading: "FILES", summary: "What is where",
                parts: [.table("Files & more", [Topic.Row("a`b", "$x and $y")]), .examples([Example("ls")])])
        ])

    @Test("hold the table, the topics, and nothing that a reader of Markdown would obey")
    func snapshot() {
        let page = Reference(Self.tool, seeAlso: ["other.md": "Another page"]).source
        #expect(page.hasPrefix(Self.beginning), "\(page)")
        #expect(page.hasSuffix(Self.end), "\(page)")
    }

    private static let beginning = #"""
        <!-- The program writes this page itself: 'make reference'. -->

        # tool part

        A \*tool\*.

        It's `a | b`, isn't it?

        \+ no list

        ````sh
        # Use <it>.
        tool 'x' | y

        tool ```
        ````

        ## Contents

        - [Commands](#commands)
          - [tool part copy](#tool-part-copy): Copy an account
          - [tool part signup](#tool-part-signup): Create an account
          - [tool part move it](#tool-part-move-it): Move \<everything\>
        - [Flags of several commands](#flags-of-several-commands)
          - [Flags: Global\_flags](#flags-global_flags)
        - [Topics](#topics)
          - [tool part help files](#tool-part-help-files): What is where

        ## Commands

        ### tool part copy

        Copy an account.

        ```
        tool part copy [flags] SOURCE TARGET...
        ```

        **Arguments**

        - `SOURCE`: From.
        - `TARGET...`: To.

        **Flags**

        - `--reason TEXT`: Why.

        """#

    private static let end = ##"""
        ### tool part move it

        Move \<everything\>.

        ```
        tool part move it [flags]
        ```

        Other words for it: `mv`.

        It takes the flags under [Global\_flags](#flags-global_flags), too.

        1\. first, \`so\`.

        ```
        { a }
          b
        ```

        \# no heading - no list

        ## Flags of several commands

        ### Flags: Global\_flags

        - `-j, --json`: Print one JSON object.
        - `--profile NAME`: Use this profile.
        - `-d, --debug`: Say what happens.

        ## Topics

        ### tool part help files

        What is where.

        **Files \& more**

        - ``a`b``: \$x and \$y

        ```sh
        ls
        ```

        ## See also

        - [Another page](other.md)

        """##

    @Test(
        "code is fenced by more backticks than it has",
        arguments: [
            ("x", "`x`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("``x", "``` ``x ```"), (" x ", "`  x  `"),
            ("<a|b>", "`<a|b>`"), (#"\"#, #"`\`"#),
        ])
    func code(row: (text: String, written: String)) {
        #expect(Markdown.code(row.text) == row.written)
    }

    @Test(
        "a text is what it was, and what it quotes is code",
        arguments: [
            ("a_b*c*", #"a\_b\*c\*"#), ("<b>&amp;", #"\<b\>\&amp;"#), ("[x](y)", #"\[x\](y)"#),
            ("~~x~~", #"\~\~x\~\~"#),
            ("'a_b'", "`a_b`"), ("('a')", "(`a`)"), ("the users' 'x'", "the users' `x`"), ("'it's'", "`it's`"),
            ("'a", "'a"), ("don't 'a'b'", "don't `a'b`"), (#"a\b"#, #"a\\b"#),
        ])
    func text(row: (text: String, written: String)) {
        #expect(Markdown.text(row.text) == row.written)
    }

    @Test(
        "what begins a line begins no list, heading or rule",
        arguments: [
            ("- a", #"\- a"#), ("+ a", #"\+ a"#), ("* a", #"\* a"#), ("# a", ##"\# a"##), ("> a", #"\> a"#),
            ("=", #"\="#), ("12. a", #"12\. a"#), ("1) a", #"1\) a"#), ("12 a", "12 a"), ("7", "7"), ("", ""),
        ])
    func paragraph(row: (text: String, written: String)) {
        #expect(Markdown.paragraph(row.text) == row.written)
    }
}

extension CommandOutline {
    /// The same command with its shared rows under another heading.
    fileprivate func under(_ heading: String) -> CommandOutline {
        CommandOutline(
            name: name, summary: summary, usage: usage,
            rows: rows.map { row in
                RowOutline(
                    names: row.names, placeholder: row.placeholder, help: row.help, choices: row.choices,
                    section: row.section.map { _ in heading }, isOption: row.isOption, repeats: row.repeats,
                    isRemainder: row.isRemainder)
            }, examples: examples, discussion: discussion)
    }
}
