// SPDX-License-Identifier: Apache-2.0

import Foundation
import TenantTesting
import Testing
import Wire

@testable import Tenant

/// SQL is written down whole, and values are bound.
@Suite struct StatementTests {
    /// What may be put into a statement: constants of the program, never a value.
    private static let constants = ["\\(Self.columns)", "\\(Self.version)"]

    private static let verbs = ["SELECT ", "INSERT INTO ", "DELETE FROM ", "PRAGMA ", "WHERE ", " SET "]

    @Test("Rule 117: no statement is put together from values")
    func sources() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Tenant")
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        var statements = 0
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard Self.verbs.contains(where: { line.contains($0) }) else { continue }
                statements += 1
                let rest = Self.constants.reduce(String(line)) { $0.replacingOccurrences(of: $1, with: "") }
                #expect(!rest.contains("\\("), "\(file.lastPathComponent): \(line)")
            }
        }
        #expect(statements > 50)
    }

    @Test(
        "Rule 117: what people type stays what it is",
        arguments: [
            "'; DROP TABLE account; --", "\" OR 1=1 --", "%' OR '%'='", "a\0b", "');ATTACH DATABASE '/tmp/x' AS x;--",
            "\u{FFFD}\u{202E}", String(repeating: "'", count: 200),
        ])
    func hostileValues(text: String) throws {
        let tenant = try TestTenant()
        let record = AccountRecord(username: "mira@lofoten.example", attributes: ["city": .string(text)])
        let open = OpenTenant(tenant.provider, in: TenantFolder(path: "/nonexistent"))
        let outcomes = try ImportAccounts([record], replaces: false).run(on: open) { _ in }
        #expect(outcomes == [.made])
        let read = try ReadAccount("mira@lofoten.example").run(on: open) { _ in }
        #expect(read.attributes["city"] == .string(text))
        for name in [text, "x@\(text).example"] {
            #expect(throws: AdminRefusal.noSuchAccount(name)) { try ReadAccount(name).run(on: open) { _ in } }
        }
        #expect(try tenant.provider.accounts().count == 1)
    }
}
