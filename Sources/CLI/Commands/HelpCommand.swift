// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth help`.
struct HelpCommand: CLICommand {
    var words: [String] = []
    var manual = false
    var markdown = false

    static let name = "help"
    static let summary = "Show what the program, a command or a topic is about"

    static var parameters: [Parameter<HelpCommand>] {
        [
            .flag("--man", to: \.manual, help: "Print the manual page, for man -l or an installer."),
            .flag("--markdown", to: \.markdown, help: "Print the reference of all commands, in Markdown."),
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

    func check() throws(UsageError) {
        if manual && markdown {
            throw UsageError(command: Self.name, "--man and --markdown are two pages; give one of both")
        }
    }

    func run(_ context: Context) async throws {
        if words.first == "tenant" {
            throw TenantProgram.run(["help"] + (pageFlag.map { [$0] } ?? Array(words.dropFirst())), context)
        }
        try context.output.write(page ?? HelpText.about(words))
    }

    private var pageFlag: String? { manual ? "--man" : markdown ? "--markdown" : nil }

    /// All of the help as one page, if that is asked for.
    private var page: String? {
        if manual { return Manual(HelpText.program, version: Version.current).source }
        guard markdown else { return nil }
        return Reference(HelpText.program, seeAlso: ["tenant-commands.md": "Commands of `nativeauth tenant`"]).source
    }
}
