// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import TerminalTesting
import Testing

/// How fast it is depends on the machine and on what else it does, so no test looks at a clock: `make bench` prints
/// ratios. These see that it still can, and what a quick command leaves alone.
@Suite("Speed", .inTurns)
struct MeasurementTests {
    let home: Home

    init() throws { home = try Home() }

    @Test("T86: the measurement has a ratio and a goal for each command that has to be quick")
    func bench() async throws {
        let script = URL(filePath: #filePath).appending(path: "../../Bench/run").standardized.path
        let folder = String(try BuiltProgram.path("nativeauth").dropLast("/nativeauth".count))
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        // Two servers with PostgreSQL are measured in 'make soak' only: beside the other tests that takes minutes.
        let isWhole = ProcessInfo.processInfo.environment["NATIVEAUTH_SOAK"] != nil
        let little = [
            "PATH": path, "ROUNDS": "3", "RATE_ROUNDS": "1", "RATE_SECONDS": "1", "ACCOUNTS": "4000", "STARTS": "3",
            "PARTS": isWhole ? "served shared" : "served",
        ]
        let page = home.path + "/page"
        try FileManager.default.createDirectory(atPath: page, withIntermediateDirectories: false)
        var run = Run("/bin/bash", [script, folder, page], environment: home.environment(little))
        run.timeout = .seconds(600)
        let outcome = try await run()
        #expect(outcome.ending == .exit(0), "\(outcome)")
        let row = #/^(?<what>.{34}) +[0-9.]+ \S+ +.{26} +[0-9.]+ \S+ +[0-9.]+x \([0-9.]+ to [0-9.]+\)   goal .+$/#
        let rows = outcome.output.split(separator: "\n").compactMap { $0.wholeMatch(of: row) }
        let names = rows.map { $0.what.trimmingCharacters(in: .whitespaces) }
        for name in [
            "token, from the cache", "--help", "help of a command", "status", "serve, memory when idle",
            "sign-ins with a code", "refreshes", "sign-ins with a password", "sign-in, of 4000 accounts",
        ] + (isWhole ? ["two servers, PostgreSQL: codes"] : []) {
            #expect(names.contains(name), "\(outcome)")
        }
        let text = try #require(home.read(page + "/bench.md"))
        #expect(names.allSatisfy { text.contains("| \($0) |") } && text.contains("(bench.svg)"), "\(text)")
        #expect(try #require(home.read(page + "/bench.svg")).contains("token, from the cache : jq -r"))
    }

    @Test("T86: what only looks loads no library for requests and opens no database", arguments: ["token", "status"])
    func libraries(command: String) async throws {
        try await home.signUp("ada@example.com")
        let outcome = try await home.nativeauth(command, environment: ["LD_DEBUG": "files"])
        #expect(outcome.ending == .exit(0))
        #expect(outcome.errors.contains("libc.so.6"), "the loader says what it loads")
        #expect(!outcome.errors.contains("libcurl"))
        // Whoever opens the tenant makes its database anew.
        let database = home.tenantFolder + "/tenant.db"
        try FileManager.default.removeItem(atPath: database)
        #expect(try await home.nativeauth(command).ending == .exit(0))
        #expect(home.read(database) == nil, "the tenant was opened")
    }
}
