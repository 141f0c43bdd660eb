// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The 88 cases that a terminal program has to stand, by number: T01 to T20 prompts and keys, T21 to T34 signals, T35 to
/// T48 secrets and codes, T49 to T60 streams, T61 to T71 files, T72 to T80 concurrency, T81 to T88 commands. A test
/// belongs to a case by its display name: `@Test("T53, T54: …")`.
struct CaseIndexTests {
    @Test("every case has a test")
    func index() throws {
        let covered = try Self.covered()
        #expect(covered.isSubset(of: 1...88), "there are 88 cases")
        #expect(Set(1...88).subtracting(covered).sorted().isEmpty, "no test for these numbers")
    }

    /// The numbers that display names of tests begin with.
    private static func covered() throws -> Set<Int> {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let files = try #require(FileManager.default.enumerator(atPath: folder.path))
        var numbers: Set<Int> = []
        for case let name as String in files where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for match in text.matches(of: /@(?:Test|Suite)\(\s*"((?:T[0-9]{2}[:, ]*(?:and )?)+)/) {
                numbers.formUnion(match.output.1.matches(of: /T([0-9]{2})/).compactMap { Int($0.output.1) })
            }
        }
        return numbers
    }
}
