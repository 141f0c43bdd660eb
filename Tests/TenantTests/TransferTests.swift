// SPDX-License-Identifier: Apache-2.0

import Foundation
import TenantTesting
import Testing
import Wire

@testable import Tenant

private let mira = "mira@lofoten.example"

/// A tenant that is written out, and read into another database.
struct TransferTests {
    /// A way from one kind of database to another.
    struct Way: Sendable, CustomTestStringConvertible {
        let from: TestTenant.Store
        let to: TestTenant.Store

        var testDescription: String { "\(from) to \(to)" }
    }

    private static let ways = [
        Way(from: .sqlite, to: .postgresql), Way(from: .postgresql, to: .sqlite), Way(from: .sqlite, to: .sqlite),
    ]

    private func lines(of folder: TenantFolder) throws -> [String] {
        var text: [UInt8] = []
        try TenantExport(of: folder).write(to: { text += $0 }) { _ in }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Reads lines in small portions.
    private func read(_ lines: [String], into folder: TenantFolder) throws -> Int {
        var rest = lines.map { Array($0.utf8) }[...]
        return try TenantImport(to: folder).read({
            defer { rest = rest.dropFirst(7) }
            return rest.isEmpty ? nil : Array(rest.prefix(7))
        }) { _ in }
    }

    @Test("everything goes over: accounts, sessions, flows that are open, mail that waits", arguments: ways)
    func moves(_ way: Way) throws {
        let scene = Scene(try TestTenant(keptIn: way.from))
        let refreshToken = try scene.signedIn(mira).refreshToken
        let opened = try scene.challenged(mira)
        try scene.tenant.provider.database.transaction { connection in
            _ = try connection.run("INSERT INTO outbox (sealed, expires_at) VALUES (?, ?)", .blob([0, 255, 7]), .null)
        }
        let written = try lines(of: scene.tenant.folder)
        scene.tenant.close()

        let other = try TestTenant(emptyIn: way.to)
        #expect(try read(written, into: other.folder) == written.count - 1)
        #expect(try lines(of: other.folder).sorted() == written.sorted())
        try other.restart()
        let there = Scene(other)
        #expect(try there.refresh(refreshToken).status == 200)
        #expect(try there.submit(password: Scene.password, opened.token).status == 200)
        // Numbers go on, and the trail with them.
        #expect(try there.codeSent("ola@lofoten.example").status == 200)
        #expect(try other.findings().map(\.kind) == [.messageUnreadable])
    }

    @Test(
        "what is no export makes no tenant",
        arguments: [
            ([], .noExport), (["{}"], .noExport), (["[\"setting\"]"], .noExport),
        ] as [([String], TenantImport.Unusable)])
    func noExport(_ lines: [String], _ reason: TenantImport.Unusable) throws {
        let other = try TestTenant(emptyIn: .sqlite)
        #expect(throws: reason) { try read(lines, into: other.folder) }
    }

    @Test("a line that is none, or one that is missing: nothing is there, and the whole can be read after it")
    func wholeOrNothing() throws {
        let scene = Scene(try TestTenant(keptIn: .sqlite))
        try scene.passwordAccount(mira)
        let written = try lines(of: scene.tenant.folder)
        let other = try TestTenant(emptyIn: .sqlite)
        let wrong = ["[]", "[\"nothing\",1]", "[\"setting\",1]", "[\"setting\",{\"b\":\"%\"},\"\"]", "x"]
        for line in wrong {
            #expect(throws: TenantImport.Unusable.line(3)) {
                try read(Array(written[..<2]) + [line] + Array(written[3...]), into: other.folder)
            }
        }
        #expect(throws: TenantImport.Unusable.cutShort(written.count - 2)) {
            try read(written.dropLast(), into: other.folder)
        }
        var head = try #require(JSONValue(json: Array(written[0].utf8)))
        if case .object(var members) = head {
            members["nativeauth_tenant"] = .integer(Schema.version + 1)
            head = .object(members)
        }
        #expect(throws: TenantImport.Unusable.otherVersion) {
            try read([String(decoding: head.json, as: UTF8.self)] + written.dropFirst(), into: other.folder)
        }
        #expect(try read(written, into: other.folder) == written.count - 1)
        #expect(throws: TenantImport.Unusable.tenantIsThere) { try read(written, into: other.folder) }
    }
}
