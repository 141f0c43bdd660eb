// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials
import Glibc
import Wire

/// Makes a tenant of the lines that an export has written, in whichever database the folder is for. It is there as a whole
/// or not at all.
package struct TenantImport {
    private let folder: TenantFolder

    package init(to folder: TenantFolder) {
        self.folder = folder
    }

    /// Why the lines make no tenant.
    package enum Unusable: Error, Sendable, Equatable {
        /// There is one already.
        case tenantIsThere
        /// The first line is not that of an export.
        case noExport
        /// Another version of this program wrote it.
        case otherVersion
        case line(Int)
        /// It ends before it should, after so many rows.
        case cutShort(Int)
        /// The database was lost on the way.
        case interrupted
    }

    /// Reads the lines. To be called by the holder of the tenant's lock only.
    ///
    /// - Parameter next: The next lines; nil at the end.
    /// - Returns: How many rows there are.
    package func read(
        _ next: @escaping () throws -> [[UInt8]]?, _ tell: (AdminProgress) throws -> Void
    ) throws -> Int {
        var lines = TransferLines(next)
        let head = try head(&lines)
        try folder.refuseOpenFiles()
        let database = try folder.connectedDatabase()
        guard try !database.hasTenant else { throw Unusable.tenantIsThere }
        // The key comes first: a database that it opens is worth nothing without it.
        try folder.put(key: Array(head.sealingKey))
        var isBegun = false
        try database.transaction { connection in
            // What was read cannot be read again.
            guard !isBegun else { throw Unusable.interrupted }
            isBegun = true
            try fill(&connection, head, &lines, tell)
        }
        return head.rows
    }

    private func head(_ lines: inout TransferLines) throws -> TransferHead {
        guard let line = try lines.next(), let head = try? JSONDecoder().decode(TransferHead.self, from: Data(line)),
            head.sealingKey.count == Vault.keyLength
        else { throw Unusable.noExport }
        guard head.nativeauthTenant == Schema.version else { throw Unusable.otherVersion }
        return head
    }

    private func fill(
        _ connection: inout Connection, _ head: TransferHead, _ lines: inout TransferLines,
        _ tell: (AdminProgress) throws -> Void
    ) throws {
        guard try connection.rows("SELECT 1 FROM signing_key").isEmpty else { throw Unusable.tenantIsThere }
        for table in TransferTable.all.reversed() where table.name != "audit" { try connection.run(table.clear) }
        let tables = Dictionary(uniqueKeysWithValues: TransferTable.all.map { ($0.name, $0) })
        var done = 0
        while let line = try lines.next() {
            guard case .array(let elements)? = JSONValue(json: line), let name = elements.first?.string,
                let table = tables[name], elements.count == table.columns.count + 1
            else { throw Unusable.line(lines.number) }
            let values = elements.dropFirst().compactMap(SQLValue.init(transferred:))
            guard values.count == table.columns.count else { throw Unusable.line(lines.number) }
            _ = try connection.session.run(table.write, values)
            done += 1
            if done % 1000 == 0 { try tell(AdminProgress(done: done, of: head.rows)) }
        }
        guard done == head.rows else { throw Unusable.cutShort(done) }
        for table in TransferTable.all where table.isNumbered { try connection.goOnNumbering(table.name) }
    }
}

/// Lines that come in portions.
private struct TransferLines {
    private let read: () throws -> [[UInt8]]?
    private var rest: ArraySlice<[UInt8]> = []
    /// Of the last line, from 1.
    private(set) var number = 0

    init(_ read: @escaping () throws -> [[UInt8]]?) {
        self.read = read
    }

    mutating func next() throws -> [UInt8]? {
        while rest.isEmpty {
            guard let more = try read() else { return nil }
            rest = more[...]
        }
        number += 1
        return rest.removeFirst()
    }
}
