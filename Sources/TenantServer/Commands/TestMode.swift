// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Tenant

/// Shows the clock of a tenant in test mode, or moves it.
struct MoveTestClock: TenantCommand {
    var tenant = TenantDefaults.name
    var ahead: Duration?
    var reset = false

    static let name = "clock"
    static let summary = "Show the clock of a tenant in test mode, or move it on"

    static var parameters: [Parameter<MoveTestClock>] {
        [
            .option(
                "--advance", value: "DURATION", to: \.ahead,
                help: "Move it on by so much, as '90s', '15m', '2h' or '30d'."),
            .flag("--reset", to: \.reset, help: "Set it to the machine's time again."),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] {
        [Example("nativeauth tenant clock --advance 11m", "Let every code that is on its way expire.")]
    }

    func check() throws(UsageError) {
        guard ahead == nil || !reset else {
            throw UsageError(command: Self.name, "give one of --advance and --reset")
        }
    }

    func run(_ context: TenantContext) throws {
        let move: MoveClock.Move =
            reset ? .reset : ahead.map { .advance(seconds: Int($0.components.seconds)) } ?? .stay
        let now = try context.perform(MoveClock(move), on: tenant)
        try context.output.line(now.formatted(Date.ISO8601FormatStyle()))
    }
}

/// Lets requests meet a fault.
struct AddTestFault: TenantCommand {
    var tenant = TenantDefaults.name
    var path = ""
    var delay: Duration?
    var status: Int?
    var dropsRequest = false
    var dropsAnswer = false
    var times = 1

    static let name = "fault add"
    static let summary = "Let the next requests to a tenant in test mode meet a fault"

    static var parameters: [Parameter<AddTestFault>] {
        [
            .positional(
                "PATH", to: \.path, help: "What the request's path ends with, as '/oauth2/v2.0/token'; * for all."),
            .option("--delay", value: "DURATION", to: \.delay, help: "Answer so much later."),
            .option("--refuse", value: "STATUS", to: \.status, help: "Refuse with this HTTP status, and do nothing."),
            .flag("--drop-request", to: \.dropsRequest, help: "Close the connection, and do nothing."),
            .flag(
                "--drop-answer", to: \.dropsAnswer,
                help: "Do what is asked for, and close the connection instead of an answer."),
            .option("--times", value: "N", to: \.times, help: "How many requests meet it; 1 by default."),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] {
        [
            Example(
                "nativeauth tenant fault add /oauth2/v2.0/token --drop-answer", "Lose the next tokens on their way."),
            Example("nativeauth tenant fault add '*' --refuse 503 --times 3"),
        ]
    }

    func check() throws(UsageError) {
        guard actions.count == 1 else {
            throw UsageError(command: Self.name, "give one of --delay, --refuse, --drop-request and --drop-answer")
        }
        if let status, !(400...599).contains(status) {
            throw UsageError(command: Self.name, "--refuse takes a status from 400 to 599")
        }
        guard times > 0 else { throw UsageError(command: Self.name, "--times takes a number from 1") }
    }

    private var actions: [TestFault.Action] {
        var actions: [TestFault.Action] = []
        if let delay {
            let (seconds, attoseconds) = delay.components
            actions.append(.delay(milliseconds: Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)))
        }
        if let status { actions.append(.refuse(status: status)) }
        if dropsRequest { actions.append(.dropRequest) }
        if dropsAnswer { actions.append(.dropAnswer) }
        return actions
    }

    func run(_ context: TenantContext) throws {
        for action in actions {
            _ = try context.perform(AddFault(TestFault(path: path, action: action, times: times)), on: tenant)
        }
    }
}

/// Lists the faults that requests are going to meet.
struct ListTestFaults: TenantCommand {
    var tenant = TenantDefaults.name

    static let name = "fault list"
    static let summary = "List the faults that requests are going to meet"
    static var parameters: [Parameter<ListTestFaults>] { [.tenant(to: \.tenant)] }

    func run(_ context: TenantContext) throws {
        for fault in try context.perform(ReadFaults(), on: tenant) {
            try context.output.line("\(fault.path.printable)\t\(fault.action.words)\t\(fault.times)")
        }
    }
}

/// Takes all faults away.
struct ClearTestFaults: TenantCommand {
    var tenant = TenantDefaults.name

    static let name = "fault clear"
    static let summary = "Take all faults away"
    static var parameters: [Parameter<ClearTestFaults>] { [.tenant(to: \.tenant)] }

    func run(_ context: TenantContext) throws {
        _ = try context.perform(ClearFaults(), on: tenant)
    }
}

extension TestFault.Action {
    /// As the flags of `fault add` have it.
    fileprivate var words: String {
        switch self {
        case .delay(let milliseconds): "delay \(milliseconds)ms"
        case .refuse(let status): "refuse \(status)"
        case .dropRequest: "drop-request"
        case .dropAnswer: "drop-answer"
        }
    }
}

/// Shows the requests that a tenant in test mode has met.
struct ShowJournal: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "journal"
    static let summary = "Show the requests that a tenant in test mode has met, oldest first"

    static var parameters: [Parameter<ShowJournal>] {
        [.flag("--json", to: \.json, help: "Print a JSON array."), .tenant(to: \.tenant)]
    }

    static var discussion: String {
        """
        The newest 1000 are there, with the fields that were sent and the error that was answered. Secrets, codes and tokens \
        are not among it.
        """
    }

    func run(_ context: TenantContext) throws {
        let entries = try context.perform(ReadJournal(), on: tenant)
        if json { return try context.print(json: entries.map(JournalObject.init)) }
        for entry in entries {
            let status = entry.status.map(String.init) ?? "dropped"
            let fields = entry.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            let errors = [entry.error, entry.suberror].compactMap { $0 }.joined(separator: "/")
            let words = [status, entry.method, entry.path, fields, errors].filter { !$0.isEmpty }
            try context.output.line(words.joined(separator: " ").printable)
        }
    }
}

/// A request as `journal --json` prints it.
private struct JournalObject: Encodable {
    var number: Int
    var time: String
    var method: String
    var path: String
    var fields: [String: String]
    var status: Int?
    var error: String?
    var suberror: String?
    var correlation_id: String?

    init(_ entry: JournalEntry) {
        number = entry.number
        time = entry.time.formatted(Date.ISO8601FormatStyle())
        method = entry.method
        path = entry.path
        fields = entry.fields
        status = entry.status
        error = entry.error
        suberror = entry.suberror
        correlation_id = entry.correlationID
    }
}
