// SPDX-License-Identifier: Apache-2.0

import Console

/// Lets shells complete the tool's command lines; `nativeauth completion` is the one that people call.
struct CompleteCommands: TenantCommand {
    var shell: CompletionShell?
    var words: [String] = []

    static let name = "completion"
    static let summary = "Print the script that lets a shell complete commands and flags"

    static var parameters: [Parameter<CompleteCommands>] {
        [
            .positional("SHELL", to: \.shell, required: true, help: "The shell."),
            .positional(
                "WORD", to: \.words,
                help: "After '--', a command line: print what may stand in the place of its last word."),
        ]
    }

    func run(_ context: TenantContext) throws {
        guard let shell else { return }
        if words.isEmpty { return try context.output.write(shell.script(for: "nativeauth-tenant")) }
        let answer = Completion(TenantTool.outline).answer(Array(words.dropFirst()))
        try context.output.write(CompletionShell.lines(answer))
    }
}

extension TenantTool {
    static var outline: ProgramOutline {
        ProgramOutline(
            name: program, summary: "a local tenant for native authentication",
            description: """
                An identity provider that speaks the protocol of Entra External ID's native authentication: accounts, \
                codes, passwords, attributes, second factors and signed tokens, on this machine. The program is \
                nativeauth-tenant; people call it as 'nativeauth tenant'.

                The tenant lives in ~/.local/share/nativeauth/tenants/local/. While it is served, other commands are \
                carried out by the process that serves it.
                """,
            examples: Serve.examples + Inbox.examples, commands: commands.map { $0.outline }, seeAlso: ["nativeauth"])
    }

    /// All of the help as one page, by the flag that asks for it.
    static func page(_ flag: String) -> String? {
        switch flag {
        case "--man": Manual(outline).source
        case "--markdown": Reference(outline, seeAlso: ["commands.md": "Commands of `nativeauth`"]).source
        default: nil
        }
    }
}
