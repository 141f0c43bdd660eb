// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import Tenant

/// `nativeauth-tenant`, which people call as `nativeauth tenant`.
@main
enum TenantTool {
    static let program = "nativeauth tenant"

    static var commands: [any TenantCommand.Type] {
        [
            Serve.self, RunProgram.self, Check.self, PlaceDatabase.self, ExportTenant.self, ImportTenant.self,
            Inbox.self, ListOutbox.self, SendTestMail.self,
            ListUsers.self, ShowUser.self, SetUser.self, DisableUser.self, EnableUser.self, RequirePasswordChange.self,
            SetUserPassword.self, DeleteUser.self, ExportUsers.self, ImportUsers.self,
            ListApps.self, SetApp.self, RemoveAppCommand.self,
            ListFlows.self, SetFlow.self, RemoveFlowCommand.self,
            ListAPIs.self, SetAPI.self, PrintAPISecret.self, RemoveAPICommand.self,
            ListExtensions.self, SetExtension.self, RemoveExtension.self, ListExtensionFailures.self,
            ShowConfig.self, ListConfig.self, SetConfig.self, Calibrate.self,
            Backup.self, Restore.self, Reset.self,
            ListKeys.self, RotateKey.self, ShowAudit.self,
            MoveTestClock.self, AddTestFault.self, ListTestFaults.self, ClearTestFaults.self, ShowJournal.self,
            CompleteCommands.self,
        ]
    }

    static func main() {
        let before = ProcessStart.prepare()
        let context = TenantContext(environment: ProcessEnvironment.all, before: before)
        exit(run(CommandWords.current, context))
    }

    static func run(_ arguments: CommandWords, _ context: TenantContext) -> Int32 {
        do {
            try context.checkPlaces()
            return try dispatch(try arguments.text(), context).rawValue
        } catch let end as EndedAs {
            return end.code
        } catch {
            return report(error, context).rawValue
        }
    }

    private static func report(_ error: any Error, _ context: TenantContext) -> ExitStatus {
        switch error {
        case let error as UsageError: return context.complain(error.text(program: program), .usage)
        // The reader has what it wanted, or has failed itself: nothing is to be said about it.
        case let error as OutputError where error.isBrokenPipe: BrokenPipe.endProcess()
        case let error as OutputError:
            return context.complain("\(program): cannot write the output: \(error.message)", .outputFailed)
        default:
            let failure = error as? CommandFailure ?? CommandFailure(error)
            return context.complain("\(program): \(failure.message)", hint: failure.hint, failure.status)
        }
    }

    private static func dispatch(_ arguments: [String], _ context: TenantContext) throws -> ExitStatus {
        if arguments.count == 2, arguments[0] == "help", let page = page(arguments[1]) {
            try context.output.write(page)
            return .done
        }
        let words = arguments.first == "help" ? Array(arguments.dropFirst()) + ["--help"] : arguments
        guard let first = words.first, !first.hasPrefix("-") else {
            guard words.isEmpty || words.first == "--help" || words.first == "-h" else {
                throw UsageError(command: "", "unknown flag '\(words[0])'")
            }
            try context.output.write(overview)
            return .done
        }
        guard
            let command = commands.first(where: { words.starts(with: $0.name.split(separator: " ").map(String.init)) })
        else { throw unknown(words) }
        let rest = Array(words.dropFirst(command.name.split(separator: " ").count))
        try command.start(rest, context)
        return .done
    }

    private static func unknown(_ words: [String]) -> UsageError {
        let groups = commands.map { $0.name }.filter { $0.hasPrefix(words[0] + " ") }
        if !groups.isEmpty {
            return UsageError(
                command: "",
                "'\(words[0])' needs one of these after it: "
                    + groups.map { String($0.dropFirst(words[0].count + 1)) }.joined(separator: ", "))
        }
        let names = commands.map { $0.name.split(separator: " ").first.map(String.init) ?? $0.name }
        return UsageError(
            command: "", "unknown command '\(words[0])'", suggestion: suggestion(for: words[0], among: names))
    }

    private static var overview: String {
        let rows = commands.map { (term: $0.name, text: $0.summary) }
        return [
            "A local tenant: an identity provider that speaks the protocol of Entra External ID's native authentication.",
            Help.section("Usage", ["  \(program) COMMAND [flags]"]), Help.section("Commands", Help.table(rows)),
            "Run '\(program) help COMMAND' for a command's flags.",
        ].joined(separator: "\n\n") + "\n"
    }
}

/// A command of the tool.
protocol TenantCommand: Command {
    func run(_ context: TenantContext) throws
}

extension TenantCommand {
    static func start(_ arguments: [String], _ context: TenantContext) throws {
        if asksForHelp(arguments) { return try context.output.write(help(program: TenantTool.program)) }
        try parse(arguments).run(context)
    }
}

/// What the commands find around them.
struct TenantContext: Sendable {
    var environment: [String: String]
    /// How the process was started.
    let before: ProcessStart.Before
    let output = Output.standardOutput
    let errors = Output.standardError

    func complain(_ text: String, hint: String? = nil, _ status: ExitStatus) -> ExitStatus {
        // There is nowhere left to report to if standard error fails.
        try? errors.line(text + (hint.map { "\n" + $0 } ?? ""))
        return status
    }

    /// Refuses variables that are no UTF-8 text: repaired, they would lead to another folder than they name.
    func checkPlaces() throws(CommandFailure) {
        let isSaid = environment["XDG_DATA_HOME"]?.hasPrefix("/") == true
        let names = [TenantPlace.variable, "XDG_DATA_HOME"] + (isSaid ? [] : ["HOME"])
        guard let name = ProcessEnvironment.firstUnreadable(of: names) else { return }
        throw CommandFailure(
            .configuration, "\(name) is not UTF-8 text.", hint: "Set it to a name in UTF-8, or take it away.")
    }

    /// The tenant of this name.
    func access(_ name: String) throws(CommandFailure) -> TenantAccess {
        guard let place = TenantPlace(environment: environment) else {
            throw CommandFailure(.configuration, "Neither HOME nor XDG_DATA_HOME says where tenants are kept.")
        }
        guard let folder = place.folder(named: name) else {
            throw CommandFailure(.usage, "'\(name.printable)' cannot be a tenant's name: use a-z, 0-9 and '-'.")
        }
        return TenantAccess(folder: folder, name: name)
    }

    /// Waits a little for a command that has the tenant open; ten seconds in all.
    func wait(_ attempt: Int) -> Bool {
        usleep(UInt32.random(in: 2_000...20_000))
        return attempt < 900
    }

    /// Prints a value as one JSON object or array.
    func print(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try output.line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}

extension CommandFailure {
    /// What a failure of the tenant means to its owner.
    init(_ error: any Error) {
        switch error {
        case TenantAccess.Refused.busy:
            self.init(.tryAgain, "Another process has the tenant open.", hint: "Try again when it has ended.")
        case TenantAccess.Refused.served(let place):
            self.init(.tryAgain, "The tenant is being served at \(place.url).", hint: "Stop the server first.")
        case TenantAccess.Refused.problem(let problem): self.init(problem)
        case let refusal as AdminRefusal: self.init(refusal)
        case is Database.KeptElsewhere: self.init(AdminRefusal.databaseElsewhere)
        case let error as FileError: self.init(.file(error))
        case let error as StoreError:
            self.init(.outputFailed, "The tenant's database failed: \(error.message).")
        default:
            self.init(.internalError, "An error that should not happen: \(error).")
        }
    }

    private init(_ problem: TenantFolder.Problem) {
        switch problem {
        case .keyMissing(let path):
            self.init(
                .invalidData, "The tenant's key \(path) is missing, and its database cannot be read without it.",
                hint: "Put the key back, or move the tenant's folder away to begin with a new tenant.")
        case .keyDamaged(let path):
            self.init(
                .invalidData, "The tenant's key \(path) is damaged.",
                hint: "Put the right key back, or move the tenant's folder away to begin with a new tenant.")
        case .openToOthers(let path):
            self.init(
                .configuration, "Other users of this machine have access to \(path.printable).",
                hint: "Take it away: chmod go= \(path.printable)")
        case .keyOfAnother(let path):
            self.init(
                .configuration, "The key \(path.printable) is not the one that the tenant's database is sealed with.",
                hint: "Copy sealing.key from the folder of a server that answers for this tenant.")
        case .noServer(let path):
            self.init(
                .configuration, "\(path.printable) does not say where the tenant's database is.",
                hint: "Write a connection string into it, as: host=db.example.com dbname=tenant user=tenant")
        case .file(let error):
            self.init(
                error.errno == EROFS || error.errno == EACCES || error.errno == ENOTDIR ? .cannotCreate : .outputFailed,
                "Cannot \(error.operation) \(error.path): \(String(cString: strerror(error.errno))).")
        case .database(let error, let path):
            self.init(.outputFailed, "The database \(path) cannot be used: \(error.message).")
        case .newer(let path):
            self.init(.invalidData, "A newer version of this program wrote \(path).", hint: "Use that version.")
        case .damaged(let path):
            self.init(
                .invalidData, "The database \(path) is damaged.",
                hint: "Restore a backup with 'nativeauth tenant restore', or move the tenant's folder away.")
        }
    }
}
