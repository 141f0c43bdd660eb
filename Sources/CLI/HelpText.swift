// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// What `nativeauth help` prints, and what the manual page, the reference and the completions are made of.
enum HelpText {
    static var program: ProgramOutline {
        let commands = NativeAuthTool.commands.map { $0.outline }
        return ProgramOutline(
            name: NativeAuthTool.program, summary: "sign up, sign in and get tokens in the terminal",
            description: """
                nativeauth walks a person through the native authentication of Microsoft Entra External ID, and hands \
                tokens to other programs. Without a profile it works with a tenant on this machine, which needs no \
                network and no account anywhere; nativeauth-tenant(1), called as 'nativeauth tenant', serves it.

                With --json a command prints one JSON object. Every command shows its help with --help.
                """,
            examples: examples, commands: commands, aliases: NativeAuthTool.aliases, topics: topics,
            seeAlso: ["nativeauth-tenant", "curl", "jq"])
    }

    static var topics: [Topic] {
        [
            .environment(NativeAuthTool.commands.map { $0.outline }), .exitCodes, .files, .scripting, .security,
            .storage,
        ]
    }

    static let examples = [
        Example("nativeauth signup", "Make an account, and answer questions."),
        Example("curl -H \"Authorization: Bearer $(nativeauth token)\" https://api.example.com/", "Use its token."),
        Example("nativeauth signout"),
    ]

    /// The text about a command, or a topic.
    static func about(_ words: [String]) throws(UsageError) -> String {
        guard let word = words.first else { return overview }
        if let topic = topics.first(where: { $0.name == word }) { return topic.help() }
        if let command = NativeAuthTool.find(words) { return command.help(program: NativeAuthTool.program) }
        let members = NativeAuthTool.commands.filter { $0.name.hasPrefix(word + " ") }
        if !members.isEmpty { return Help.table(members.map { ($0.name, $0.summary) }).joined(separator: "\n") + "\n" }
        let names = NativeAuthTool.names + topics.map(\.name)
        throw UsageError(
            command: "", "there is no command or topic '\(word)'", suggestion: suggestion(for: word, among: names))
    }

    static var overview: String {
        let rows = NativeAuthTool.commands.map { (term: $0.name, text: $0.summary) } + [tenant]
        return [
            "Sign up, sign in and get tokens in the terminal, at Entra External ID or at a tenant on this machine.",
            Help.section("Usage", ["  nativeauth COMMAND [flags]"]),
            Help.section("Examples", Help.examples(examples)), Help.section("Commands", Help.table(rows)),
            Help.section("Topics", Help.table(topics.map { ($0.name, $0.summary) })),
            "Run 'nativeauth help COMMAND' for a command's flags, and 'nativeauth help TOPIC' for a topic.",
        ].joined(separator: "\n\n") + "\n"
    }

    private static let tenant = (
        term: "tenant", text: "Serve the local tenant, read its mail, and look at its settings"
    )
}
