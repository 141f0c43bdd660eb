// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct LibraryListTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("Rule 131: every library that is linked is listed with its licence, and no other")
    func list() throws {
        let makefile = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
        let joined = makefile.replacingOccurrences(of: "\\\n", with: " ")
        let line = try #require(joined.split(separator: "\n").first { $0.hasPrefix("PACKAGES") })
        let packages = line.split(separator: "=")[1].split(separator: " ").map(String.init)
        let page = try String(contentsOf: Self.root.appending(path: "docs/libraries.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").compactMap { line -> (String, Int)? in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, cells[0].hasPrefix("`") else { return nil }
            return (cells[0].trimmingCharacters(in: ["`"]), cells[3].count)
        }
        #expect(rows.map(\.0).sorted() == packages.sorted())
        #expect(rows.allSatisfy { $0.1 >= 3 })
    }
}
