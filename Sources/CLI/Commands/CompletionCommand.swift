// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// `nativeauth completion`.
struct CompletionCommand: CLICommand {
    var shell: CompletionShell?
    var words: [String] = []

    static let name = "completion"
    static let summary = "Print the script that lets a shell complete commands and flags"

    static var parameters: [Parameter<CompletionCommand>] {
        [
            .positional("SHELL", to: \.shell, help: "The shell."),
            .positional(
                "WORD", to: \.words,
                help: "After '--', a command line: print what may stand in the place of its last word."),
        ]
    }

    static var examples: [Example] {
        [
            Example("source <(nativeauth completion bash)", "In this bash; put it into ~/.bashrc to keep it."),
            Example("source <(nativeauth completion zsh)", "In ~/.zshrc, after compinit."),
            Example(
                "nativeauth completion fish >~/.config/fish/completions/nativeauth.fish", "For every fish from now on."),
        ]
    }

    static var discussion: String {
        """
        'make install' puts the scripts where the shells look for them. A script asks the program itself what may \
        follow, so it knows new flags, and the profiles of config.json, at once.
        """
    }

    func run(_ context: Context) async throws {
        guard let shell else { throw UsageError(command: Self.name, "SHELL is missing: bash, zsh or fish") }
        if words.isEmpty { return try context.output.write(shell.script(for: NativeAuthTool.program)) }
        let typed = Array(words.dropFirst())
        if typed.count > 1, typed.first == "tenant" {
            throw TenantProgram.run(
                [Self.name, shell.rawValue, "--", "nativeauth-tenant"] + typed.dropFirst(), context)
        }
        let completion = Completion(HelpText.program) { command, row in Self.values(command, row, context) }
        var answer = completion.answer(typed)
        if typed.count == 1, case .words(let found) = answer, "tenant".hasPrefix(typed[0]) {
            answer = .words(found + [Completion.Candidate("tenant", "Work with the local tenant")])
        }
        try context.output.write(CompletionShell.lines(answer))
    }

    /// What is known beyond the table: the profiles that there are, and what there is help for.
    private static func values(
        _ command: CommandOutline, _ row: RowOutline, _ context: Context
    ) -> [Completion.Candidate]? {
        if row.names.contains("--profile") {
            return Profile.names(environment: context.environment).map { Completion.Candidate($0) }
        }
        guard command.name == HelpCommand.name, !row.isOption else { return nil }
        return HelpText.program.commands.map { Completion.Candidate($0.name, $0.summary) }
            + HelpText.topics.map { Completion.Candidate($0.name, $0.summary) }
    }
}
