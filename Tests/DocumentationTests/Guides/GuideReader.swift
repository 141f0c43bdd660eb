// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// Somebody who follows a page from its top, and types each of its commands.
///
/// What differs from the page is the tenant's port, since those of the tests are free ones, and what a test says.
final class GuideReader {
    let home: Home
    private let folder: String
    private var other: [(written: String, here: String)]
    private var tenant: ServedTenant?
    private(set) var count = 0

    /// - Parameter other: What is written differently here.
    init(_ home: Home, instead other: [(String, String)] = []) throws {
        self.home = home
        self.other = other
        folder = home.path + "/work"
        try home.write("work/pw", Home.password + "\n")
        // What the page calls by a path in this package.
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/docs", withDestinationPath: Page.root.appending(path: "docs").path)
    }

    func read(_ guide: Guide) async throws {
        for block in guide.blocks where block.reason == nil {
            switch block.kind {
            case .script: try await run(block.lines)
            case .conversation: try await converse(block.lines)
            }
        }
        try await stop()
    }

    /// Serves the tenant, for a page that is about one that is served.
    func serve() async throws { try await serve("nativeauth tenant serve") }

    private func stop() async throws {
        try await tenant?.stop()
        tenant = nil
    }

    // MARK: Scripts

    /// Runs the lines; a server is started where they start one.
    private func run(_ lines: [String]) async throws {
        var script: [String] = []
        for line in lines {
            guard Self.serves(line) else {
                script.append(line)
                continue
            }
            try await succeed(script)
            try await serve(line)
            script = []
        }
        try await succeed(script)
        count += lines.count
    }

    private func succeed(_ lines: [String]) async throws {
        let outcome = try await shell(lines.joined(separator: "\n"))
        try #require(outcome.ending == .exit(0), "\(lines): \(outcome)")
    }

    private func shell(_ script: String) async throws -> Run.Outcome {
        var run = Run("/bin/bash", ["-c", "set -eo pipefail\n" + here(script)], environment: home.environment)
        run.directory = folder
        run.timeout = .seconds(120)
        return try await run()
    }

    /// A text of the page with what is different here.
    private func here(_ text: String) -> String {
        other.reduce(text) { $0.replacingOccurrences(of: $1.written, with: $1.here) }
    }

    // MARK: The tenant

    private static let origin = "127.0.0.1:8400"

    private static func serves(_ line: String) -> Bool { line.hasPrefix("nativeauth tenant serve") }

    /// Starts the server that a line starts, at a free port.
    private func serve(_ line: String) async throws {
        try await stop()
        let words = line.prefix { $0 != "#" && $0 != "&" }.split(separator: " ").dropFirst(3).map(String.init)
        let flags = words.enumerated().filter { index, word in
            word != "--listen" && (index == 0 || words[index - 1] != "--listen")
        }.map(\.element)
        let tenant = try await home.serve(flags)
        self.tenant = tenant
        let place = tenant.url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        other = other.filter { $0.written != Self.origin } + [(Self.origin, place)]
    }

    // MARK: Conversations

    private func converse(_ lines: [String]) async throws {
        if Transcript.isOne(lines) { return try await home.signUp("ada@example.com") }
        var rest = lines[...]
        while let line = rest.popFirst() {
            try #require(line.hasPrefix("$ "), "no command: \(line)")
            var command = String(line.dropFirst(2))
            while command.hasSuffix("\\"), let more = rest.popFirst() { command += "\n" + more }
            let shown = Array(rest.prefix { !$0.hasPrefix("$ ") })
            rest = rest.dropFirst(shown.count)
            try await converse(command, shown)
        }
    }

    private func converse(_ command: String, _ shown: [String]) async throws {
        count += 1
        if Self.serves(command) { return try await serve(command) }
        let outcome = try await shell("{ \(command)\n} 2>&1")
        // Where the page shows nothing, that it works is all that can be seen; a failure is shown with its words.
        guard !shown.isEmpty else {
            #expect(outcome.ending == .exit(0), "\(command): \(outcome)")
            return
        }
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let output = lines.last == "" ? lines.dropLast() : lines[...]
        let isAsWritten = output.count == shown.count && zip(shown, output).allSatisfy { Shown(here($0)).fits($1) }
        #expect(isAsWritten, "\(command): \(outcome)")
    }
}

/// A line that a page shows: `…` stands for what changes.
private struct Shown {
    private let parts: [Substring]

    init(_ line: String) { parts = line.split(separator: "…", omittingEmptySubsequences: false) }

    func fits(_ text: String) -> Bool {
        guard let first = parts.first, text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return parts.last == "" || rest.isEmpty
    }
}

/// The conversations that are played at a terminal, each in a file.
private enum Transcript {
    static func isOne(_ lines: [String]) -> Bool {
        let folder = Page.root.appending(path: "Tests/EndToEndTests/Transcripts")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.contains { file in
            (try? String(contentsOf: file, encoding: .utf8)) == lines.joined(separator: "\n") + "\n"
        }
    }
}
