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
            SignUpCommand.self, SignInCommand.self, TokenCommand.self, CurlCommand.self, ExecCommand.self,
            CredentialCommand.self, WhoAmICommand.self, ClaimsCommand.self, SignOutCommand.self, AccountsCommand.self,
            SwitchCommand.self, ResetPasswordCommand.self, StatusCommand.self, DoctorCommand.self, ExplainCommand.self,
            CompletionCommand.self,
            HelpCommand.self,
        ]
    }

    /// Other tools' words for the same.
    static let aliases = ["login": "signin", "logout": "signout"]

    static func main() async {
        let before = ProcessStart.prepare()
        let words = ProcessArguments.all
        let context = Context(environment: ProcessEnvironment.all, words: words, before: before)
        let status = await run(arguments(CommandLine.arguments), context)
        // Output is written at once, so there is nothing to flush; the clean-up that libraries have registered for the
        // end of a process is the kernel's work anyway.
        _exit(status)
    }

    /// The words of the command line, where the program may go by a name that others call it by.
    private static func arguments(_ words: [String]) -> [String] {
        let name = words.first?.split(separator: "/").last.map(String.init) ?? program
        return CredentialCommand.words(forName: name) + words.dropFirst()
    }

    static func run(_ arguments: [String], _ context: Context) async -> Int32 {
        do {
            try await dispatch(arguments, context)
            return ExitStatus.done.rawValue
        } catch let end as EndedAs {
            return end.code
        } catch {
            return report(error, asJSON: wantsJSON(arguments), context).rawValue
        }
    }

    /// Whether the errors are to be JSON, too. What other programs are handed is not looked at.
    private static func wantsJSON(_ arguments: [String]) -> Bool {
        let rest = Array(arguments.dropFirst())
        guard let command = arguments.first.flatMap(find) else { return arguments.contains("--json") }
        let format = "--format"
        let own = command.ownArguments(rest)
        let formats = zip([""] + own, own).compactMap { previous, word in
            previous == format ? word : word.hasPrefix(format + "=") ? String(word.dropFirst(format.count + 1)) : nil
        }
        return own.contains("--json") || formats.contains { TokenFormat(rawValue: $0)?.isJSON == true }
    }

    private static func report(_ error: any Error, asJSON wantsJSON: Bool, _ context: Context) -> ExitStatus {
        switch error {
        case let end as EndedQuietly: end.status
        case let error as UsageError: context.report(.usage(error), asJSON: wantsJSON)
        // The reader has what it wanted.
        case let error as OutputError where error.isBrokenPipe: .done
        case let error as OutputError: context.report(.output(error), asJSON: wantsJSON)
        default: context.report(Report(error), asJSON: wantsJSON)
        }
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
