// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth help`.
struct HelpCommand: CLICommand {
    var words: [String] = []
    var manual = false

    static let name = "help"
    static let summary = "Show what the program, a command or a topic is about"

    static var parameters: [Parameter<HelpCommand>] {
        [
            .flag("--man", to: \.manual, help: "Print the manual page, for man -l or an installer."),
            .positional("TOPIC", to: \.words, help: "A command or a topic; without one, the lists of both."),
        ]
    }

    static var examples: [Example] {
        [
            Example("nativeauth help signup", "A command and its flags."),
            Example("nativeauth help exit-codes", "A topic."),
            Example("nativeauth help --man | man -l -", "Everything in one page."),
        ]
    }

    func run(_ context: Context) async throws {
        if words.first == "tenant" {
            throw TenantProgram.run(["help"] + (manual ? ["--man"] : words.dropFirst()), context)
        }
        try context.output.write(manual ? Self.page.source : HelpText.about(words))
    }

    private static var page: Manual {
        Manual(
            HelpText.program, version: Version.current,
            description: """
                nativeauth walks a person through the native authentication of Microsoft Entra External ID, and hands \
                tokens to other programs. Without a profile it works with a tenant on this machine, which needs no \
                network and no account anywhere; nativeauth-tenant(1), called as 'nativeauth tenant', serves it.

                With --json a command prints one JSON object. Every command shows its help with --help.
                """,
            seeAlso: ["nativeauth-tenant", "curl", "jq"])
    }
}
