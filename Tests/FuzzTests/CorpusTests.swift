// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzProperties
import Testing

/// What the fuzzers found worth keeping, through the same checks.
struct CorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz/Corpus")

    @Test("Rule 132: every kept input of a fuzz target holds its properties", arguments: FuzzTarget.all.map(\.name))
    func corpusHolds(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let check = try target.prepare()
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appending(path: name), includingPropertiesForKeys: nil)
        #expect(files.count >= 10)
        for file in files {
            do {
                try check(Array(try Data(contentsOf: file)))
            } catch let violation as Violation {
                Issue.record("\(file.lastPathComponent): \(violation)")
            }
        }
    }

    /// A corpus that no target reads would be kept for nothing.
    @Test func everyCorpusHasATarget() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(names) == Set(FuzzTarget.all.map(\.name)))
    }
}
