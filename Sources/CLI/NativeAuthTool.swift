// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Glibc
import NativeAuth

/// `nativeauth`.
@main
enum NativeAuthTool {
    static let program = "nativeauth"

    static var commands: [any CLICommand.Type] {
        [
            SignUpCommand.self, SignInCommand.self, TokenCommand.self, WhoAmICommand.self, ClaimsCommand.self,
            SignOutCommand.self, AccountsCommand.self, SwitchCommand.self, ResetPasswordCommand.self,
            StatusCommand.self, DoctorCommand.self, ExplainCommand.self,
            CompletionCommand.self,
            HelpCommand.self,
        ]
    }

    /// Other tools' words for the same.
    static let aliases = ["login": "signin", "logout": "signout"]

    static func main() async {
        ProcessStart.prepare()
        let context = Context(environment: ProcessEnvironment.all)
        let status = await run(CommandWords.current, context)
        // Output is written at once, so there is nothing to flush; the clean-up that libraries have registered for the
        // end of a process is the kernel's work anyway.
        _exit(status.rawValue)
    }

    static func run(_ arguments: CommandWords, _ context: Context) async -> ExitStatus {
        let wantsJSON = arguments.words.contains("--json")
        do {
            var context = context
            context.isSilent = wantsJSON || arguments.words.contains { $0 == "--quiet" || $0 == "-q" }
            try PathVariables.check(context.environment)
            try await dispatch(try arguments.text(passesOn: passesOn), context)
            return .done
        } catch let end as EndedQuietly {
            return end.status
        } catch let error as UsageError {
            return context.report(.usage(error), asJSON: wantsJSON)
        } catch let error as OutputError {
            // The reader has what it wanted, or has failed itself: nothing is to be said about it.
            if error.isBrokenPipe { BrokenPipe.endProcess() }
            return context.report(.output(error), asJSON: wantsJSON)
        } catch {
            return context.report(Report(error), asJSON: wantsJSON)
        }
    }

    /// Whether a command takes another program's words, which may be any bytes.
    private static func passesOn(_ command: String) -> Bool {
        HelpText.program.commands.contains { $0.name == command && $0.rows.contains(where: \.isRemainder) }
    }

    private static func dispatch(_ arguments: [String], _ context: Context) async throws {
        guard let first = arguments.first else { return try context.output.write(HelpText.overview) }
        let rest = Array(arguments.dropFirst())
        switch first {
        case "--version", "version": try context.output.line("\(program) \(Version.current)")
        case "--help", "-h": try await HelpCommand.start(rest, context)
        case "tenant": throw TenantProgram.run(rest, context)
        default: try await command(named: first).start(rest, context)
        }
    }

    static func command(named name: String) throws(UsageError) -> any CLICommand.Type {
        if let command = find(name) { return command }
        let what = name.hasPrefix("-") ? "unknown flag" : "unknown command"
        let known = name.hasPrefix("-") ? ["--help", "--version"] : names
        throw UsageError(command: "", "\(what) '\(name)'", suggestion: suggestion(for: name, among: known))
    }

    /// The command of this name, which may be one that other tools use.
    static func find(_ name: String) -> (any CLICommand.Type)? {
        let name = aliases[name] ?? name
        return commands.first { $0.name == name }
    }

    /// All words that may come first.
    static var names: [String] { commands.map { $0.name } + aliases.keys.sorted() + ["tenant"] }
}

/// A command of the program.
protocol CLICommand: Command {
    func run(_ context: Context) async throws
}

extension CLICommand {
    static func start(_ arguments: [String], _ context: Context) async throws {
        if asksForHelp(arguments) { return try context.output.write(help(program: NativeAuthTool.program)) }
        let command = try parse(arguments)
        try await command.run(context.inMannerOf(command))
    }
}
