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
            SignUpCommand.self,
            SignInCommand.self,
            TokenCommand.self,
            CurlCommand.self,
            ExecCommand.self,
            CredentialCommand.self,
            WhoAmICommand.self,
            ClaimsCommand.self,
            SignOutCommand.self,
            AccountsCommand.self,
            SwitchCommand.self,
            ResetPasswordCommand.self,
            StatusCommand.self,
            ConfigInitCommand.self,
            ConfigGetCommand.self,
            ConfigSetCommand.self,
            ConfigUnsetCommand.self,
            ConfigListCommand.self,
            ConfigPathCommand.self,
            DoctorCommand.self,
            ExplainCommand.self,
            CompletionCommand.self,
            HelpCommand.self,
        ]
    }

    /// Other tools' words for the same.
    static let aliases = ["login": "signin", "logout": "signout"]

    static func main() async {
        let before = ProcessStart.prepare()
        let context = Context(environment: ProcessEnvironment.all, words: ProcessArguments.all, before: before)
        let status = await run(CommandWords.current, context)
        // Output is written at once, so there is nothing to flush; the clean-up that libraries have registered for the
        // end of a process is the kernel's work anyway.
        _exit(status)
    }

    static func run(_ arguments: CommandWords, _ context: Context) async -> Int32 {
        // The program may go by a name that git or docker calls it by.
        let called = CredentialCommand.words(forName: context.programName)
        let own = ownWords(called + arguments.words)
        let wantsJSON = wantsJSON(own)
        do {
            var context = context
            context.isSilent = wantsJSON || own.contains { $0 == "--quiet" || $0 == "-q" }
            try PathVariables.check(context.environment)
            try await dispatch(called + arguments.text(passesOn: passesOn), context)
            return ExitStatus.done.rawValue
        } catch let end as EndedAs {
            return end.code
        } catch {
            return report(error, asJSON: wantsJSON, context).rawValue
        }
    }

    /// The words that are this program's: what other programs are handed is not looked at.
    private static func ownWords(_ words: [String]) -> [String] {
        find(words).map { $0.ownArguments(Array(words.dropFirst($0.wordCount))) } ?? words
    }

    /// Whether the errors are to be JSON, too.
    private static func wantsJSON(_ words: [String]) -> Bool {
        let format = "--format"
        let formats = zip([""] + words, words).compactMap { previous, word in
            previous == format ? word : word.hasPrefix(format + "=") ? String(word.dropFirst(format.count + 1)) : nil
        }
        return words.contains("--json") || formats.contains { TokenFormat(rawValue: $0)?.isJSON == true }
    }

    private static func report(_ error: any Error, asJSON wantsJSON: Bool, _ context: Context) -> ExitStatus {
        switch error {
        case let end as EndedQuietly: end.status
        case let error as UsageError: context.report(.usage(error), asJSON: wantsJSON)
        // The reader has what it wanted, or has failed itself: nothing is to be said about it.
        case let error as OutputError where error.isBrokenPipe: BrokenPipe.endProcess()
        case let error as OutputError: context.report(.output(error), asJSON: wantsJSON)
        default: context.report(Report(error), asJSON: wantsJSON)
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
        default:
            let (command, rest) = try command(in: arguments)
            try await command.start(rest, context)
        }
    }

    /// The command whose name a command line begins with, and what follows it.
    static func command(in words: [String]) throws(UsageError) -> (any CLICommand.Type, [String]) {
        if let command = find(words) { return (command, Array(words.dropFirst(command.wordCount))) }
        let name = words.first ?? ""
        let members = commands.map { $0.name }.filter { $0.hasPrefix(name + " ") }
        guard members.isEmpty else {
            let verbs = members.map { String($0.dropFirst(name.count + 1)) }
            throw UsageError(
                command: "", "'\(name)' needs one of these after it: \(verbs.joined(separator: ", "))",
                suggestion: words.count > 1 ? suggestion(for: words[1], among: verbs).map { "\(name) \($0)" } : nil)
        }
        let what = name.hasPrefix("-") ? "unknown flag" : "unknown command"
        let known = name.hasPrefix("-") ? ["--help", "--version"] : names
        throw UsageError(command: "", "\(what) '\(name)'", suggestion: suggestion(for: name, among: known))
    }

    /// The command that these words begin with; the first one may be other tools' word for it.
    static func find(_ words: [String]) -> (any CLICommand.Type)? {
        guard let first = words.first else { return nil }
        let words = [aliases[first] ?? first] + words.dropFirst()
        return commands.first { words.starts(with: $0.name.split(separator: " ").map(String.init)) }
    }

    /// All words that may come first.
    static var names: [String] {
        let first = commands.map { $0.name.split(separator: " ").first.map(String.init) ?? $0.name }
        return first.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } + aliases.keys.sorted() + ["tenant"]
    }
}

/// A command of the program.
protocol CLICommand: Command {
    func run(_ context: Context) async throws
    /// How it talks with a person; nil for a command that does not.
    var manner: FlowOptions? { get }
}

extension CLICommand {
    var manner: FlowOptions? { nil }

    /// How many words its name has.
    static var wordCount: Int { name.split(separator: " ").count }

    static func start(_ arguments: [String], _ context: Context) async throws {
        if asksForHelp(arguments) { return try context.output.write(help(program: NativeAuthTool.program)) }
        let command = try parse(arguments)
        try await command.run(context.inMannerOf(command))
    }
}
