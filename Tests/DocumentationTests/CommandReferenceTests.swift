// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import ProgramTesting
import TerminalTesting
import Testing

/// The pages about the commands, as the programs write them.
///
/// `make reference` writes them anew.
@Suite("The reference of the commands", .inTurns)
struct CommandReferenceTests {
    @Test("is what the programs print", arguments: [("commands", [String]()), ("tenant-commands", ["tenant"])])
    func pages(row: (name: String, program: [String])) async throws {
        let home = try Home(.fresh)
        let printed = try await home.run(row.program + ["help", "--markdown"])()
        try #require(printed.ending == .exit(0) && printed.errors.isEmpty, "\(printed)")
        let written = try Page("docs/\(row.name).md")
        let changes = written.text.changes(to: printed.output)
        #expect(changes.isEmpty, "docs/\(row.name).md is of another time: \(changes). 'make reference' writes it anew.")
        #expect(try await home.run(["help"] + row.program + ["--markdown"])().output == printed.output)
    }

    @Test("is a page of its own: 64 for two at once")
    func twoPages() async throws {
        let outcome = try await Home(.fresh).nativeauth("help", "--man", "--markdown")
        #expect(outcome.ending == .exit(64) && outcome.output.isEmpty, "\(outcome)")
    }
}
