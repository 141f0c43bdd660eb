// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// docs/threat-model.md lists every rule, and tells of each where it stands: what it calls tested is tested under its number.
@Suite struct RuleCoverageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let numbers = 1...132

    /// The last column of each rule's row.
    private static func standing() throws -> [Int: String] {
        let page = try String(contentsOf: root.appending(path: "docs/threat-model.md"), encoding: .utf8)
        var standing: [Int: String] = [:]
        for line in page.split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3, let number = Int(cells[0]) else { continue }
            #expect(standing.updateValue(cells[2], forKey: number) == nil, "rule \(number) has two rows")
        }
        return standing
    }

    /// The numbers in the names of tests: "Rule 7: …", "Rules 7 and 22: …", "Rules 1, 2 and 3: …".
    private static func tested() throws -> Set<Int> {
        let files = FileManager.default.enumerator(at: root.appending(path: "Tests"), includingPropertiesForKeys: nil)
        var numbers: Set<Int> = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("\"Rule") {
                for match in line.matches(of: #/"Rules? ([0-9]+(?:, [0-9]+)*(?:,? and [0-9]+)?)(?:: |, [A-Z])/#) {
                    numbers.formUnion(match.1.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) })
                }
            }
        }
        return numbers
    }

    @Test func everyRuleHasARow() throws {
        #expect(try Self.standing().keys.sorted() == Array(Self.numbers))
    }

    @Test func whatIsCalledTestedIsTested() throws {
        let tested = try Self.tested()
        for (number, words) in try Self.standing().sorted(by: { $0.key < $1.key }) {
            if words.hasPrefix("tested") {
                #expect(tested.contains(number), "no test is named after rule \(number)")
            } else {
                #expect(words.count >= 30, "rule \(number) is neither tested nor explained")
            }
        }
    }

    @Test("Rule 16: the page says that mail is no accepted second factor")
    func mail() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/threat-model.md"), encoding: .utf8)
        #expect(page.contains("E-mail is no second factor in the sense of NIST SP 800-63B"))
    }
}
