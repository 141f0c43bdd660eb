// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import Foundation
import ProgramTesting
import TerminalTesting
import Testing

@Suite("The commands of the pages", .inTurns)
struct GuideTests {
    @Test("do what the page says", arguments: try Guide.places)
    func commands(place: String) async throws {
        let home = try Home()
        let api = try await Home().serve()
        let origin = api.url.split(separator: "/").prefix(2).joined(separator: "//")
        let reader = try GuideReader(home, instead: [("https://api.example.com", origin)])
        let guide = try Guide(place)
        // README begins with the sign-up itself.
        if place != "README.md" { try await home.signUp("ada@example.com") }
        if place == "docs/operating.md" { try await reader.serve() }
        try await reader.read(guide)
        try await api.stop()
        let runnable = guide.blocks.filter { $0.reason == nil }
        #expect(reader.count >= runnable.count)
    }

    @Test("are run, most of them: a page says why where one is not")
    func reasons() throws {
        let blocks = try Guide.places.flatMap { try Guide($0).blocks }
        let left = blocks.filter { $0.reason != nil }
        #expect(blocks.count >= 30 && left.count * 2 < blocks.count, "\(left.count) of \(blocks.count)")
    }

    /// The references are written by the programs themselves.
    @Test(
        "are those that the programs have, with flags that they have",
        arguments: try Page.places.filter { !$0.hasSuffix("commands.md") })
    func names(place: String) throws {
        for command in WrittenCommand.all(in: try Page(place).text) {
            let fault = command.fault
            #expect(fault == nil, "\(place): \(command.text): \(fault ?? "")")
        }
    }

    @Test(
        "are looked at as a shell would",
        arguments: [
            ("nativeauth sigin -u x", true), ("nativeauth signin --no-such", true),
            ("nativeauth tenant flow sett f", false),
            ("nativeauth signin -u x | grep --no-such", false), ("`nativeauth curl URL --no-such`", false),
            ("nativeauth signup --otp-command 'nativeauth tenant inbox --code' --no-such", true),
            ("nativeauth signup --otp-command 'nativeauth tenant inbox --no-such'", true),
            ("nativeauth signup --otp-command 'nativeauth tenant inbox --code' \\\n  --json", false),
            ("nativeauth tenant nope", true), ("nativeauth signin --scope=x --jsno", true),
        ])
    func fault(row: (text: String, isWrong: Bool)) {
        #expect(WrittenCommand.all(in: row.text).contains { $0.fault != nil } == row.isWrong)
    }
}
