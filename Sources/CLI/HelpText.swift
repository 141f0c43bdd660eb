// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// What `nativeauth help` prints.
enum HelpText {
    static func about(_ words: [String]) throws -> String {
        guard let word = words.first else { return overview }
        if word == "tenant" { return tenant }
        return try NativeAuthTool.command(named: word).help(program: NativeAuthTool.program)
    }

    static var overview: String {
        let rows =
            NativeAuthTool.commands.map { (term: $0.name, text: $0.summary) } + [
                (term: "tenant", text: "Serve the local tenant, read its mail, and look at its settings"),
                (term: "help", text: "Show this text, or that of a command"),
            ]
        return [
            "Sign up, sign in and get tokens in the terminal, at Entra External ID or at a tenant on this machine.",
            Help.section("Usage", ["  nativeauth COMMAND [flags]"]),
            Help.section(
                "Examples",
                [
                    "  $ nativeauth signup",
                    "  $ curl -H \"Authorization: Bearer $(nativeauth token)\" https://api.example.com/",
                    "  $ nativeauth signout",
                ]), Help.section("Commands", Help.table(rows)),
            Help.section(
                "Exit codes",
                Help.table([
                    (term: "0", text: "done"), (term: "4", text: "sign in first"),
                    (term: "64", text: "wrong use of a flag"),
                    (term: "77", text: "refused by the tenant"),
                    (term: "130", text: "ended by Ctrl-C; other signals likewise, 128 and their number"),
                ])), "Run 'nativeauth help COMMAND' for a command's flags.",
        ].joined(separator: "\n\n") + "\n"
    }

    private static let tenant = """
        Serve the local tenant, read its mail, and look at its settings.

        Usage:
          nativeauth tenant COMMAND [flags]

        Run 'nativeauth tenant --help' for its commands.

        """
}
