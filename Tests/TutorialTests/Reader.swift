// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// Somebody who works through a tutorial from the top: types its commands, runs its program, and compares what comes
/// with what the tutorial says.
///
/// The address of the tenant is the only thing that differs: ports of the tests are those that are free.
@MainActor
final class Reader {
    typealias Program = @MainActor () async throws -> Void

    let home: Home
    private let program: Program
    /// What else is written differently here.
    private var other: [(written: String, here: String)]
    private var tenant: ServedTenant?
    /// How many commands were run, and how many times the program.
    private(set) var counts = (commands: 0, programs: 0)

    init(_ home: Home, replacing other: [(String, String)] = [], program: @escaping Program) {
        self.home = home
        self.other = other
        self.program = program
    }

    func read(_ tutorial: Tutorial) async throws {
        for block in tutorial.blocks {
            switch block.language {
            case "sh": try await run(block.lines)
            case "console": try await converse(block.lines)
            default: break
            }
        }
        try await stop()
    }

    /// Stops the tenant, if it is served.
    func stop() async throws {
        try await tenant?.stop()
        tenant = nil
    }

    // MARK: Commands

    private func run(_ lines: [String]) async throws {
        if lines.contains(where: { $0.hasPrefix("# Ctrl-C") }) { try await stop() }
        // The test's own receiver stands in for that of the examples.
        guard !lines.contains(where: { $0.contains("receiver.py") }) else { return }
        let serves = lines.last == "nativeauth tenant serve"
        let outcome = try await home.shell("set -e\n" + here(lines.dropLast(serves ? 1 : 0).joined(separator: "\n")))
        try #require(outcome.ending == .exit(0), "\(lines): \(outcome)")
        counts.commands += lines.count
        if serves { try await serve() }
    }

    private func serve() async throws {
        let tenant = try await home.serve()
        self.tenant = tenant
        let origin = tenant.url.split(separator: "/").prefix(2).joined(separator: "//")
        other = other.filter { $0.written != Self.origin } + [(Self.origin, origin)]
    }

    private static let origin = "http://127.0.0.1:8400"

    /// A text of the tutorial with what is different here.
    private func here(_ text: String) -> String {
        other.reduce(text) { $0.replacingOccurrences(of: $1.written, with: $1.here) }
    }

    // MARK: Conversations

    /// A block in which `$` precedes a command, and what it shows comes below.
    private func converse(_ lines: [String]) async throws {
        var rest = lines[...]
        while let command = rest.popFirst() {
            try #require(command.hasPrefix("$ "), "no command: \(command)")
            let shown = Array(rest.prefix { !$0.hasPrefix("$ ") })
            rest = rest.dropFirst(shown.count)
            try await converse(String(command.dropFirst(2)), shown)
        }
    }

    private func converse(_ command: String, _ shown: [String]) async throws {
        if command == "nativeauth tenant serve" { return try await serve() }
        let words = "swift run shop "
        if command.hasPrefix(words) { return try await runProgram(String(command.dropFirst(words.count)), shown) }
        let outcome = try await home.shell(here(command))
        try #require(outcome.ending == .exit(0), "\(command): \(outcome)")
        counts.commands += 1
        let output = outcome.output.split(separator: "\n").map(String.init)
        let isAsWritten = output.count == shown.count && zip(shown, output).allSatisfy { Pattern(here($0)).matches($1) }
        #expect(isAsWritten, "\(command): \(outcome)")
    }

    private func runProgram(_ arguments: String, _ shown: [String]) async throws {
        // The shell splits the line, as it would.
        let words = try await home.shell(here("printf '%s\\n' shop \(arguments)"))
        let home = home
        let terminal = Terminal(
            arguments: words.output.split(separator: "\n").map(String.init), transcript: shown.map(here)
        ) {
            let outcome = try? home.run(["tenant", "inbox", "--code"]).wait()
            return outcome?.output.trimmingCharacters(in: .newlines)
        }
        try await Terminal.$current.withValue(terminal) { try await program() }
        counts.programs += 1
        let problem = terminal.problem
        try #require(problem == nil, "\(arguments): \(problem ?? "")")
    }
}
