// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials
import Glibc
import Wire

/// A whole tenant as lines of JSON, from whichever database it is kept in: first what it takes to read them, then a row in
/// each line, as of one moment, while the tenant is in use.
package struct TenantExport {
    private let folder: TenantFolder

    package init(of folder: TenantFolder) {
        self.folder = folder
    }

    /// Writes the lines, some at a time.
    package func write(
        to output: (_ lines: [UInt8]) throws -> Void, _ tell: (AdminProgress) throws -> Void
    ) throws {
        guard let key = try folder.storedKey() else { throw TenantFolder.Problem.keyMissing(path: folder.keyPath) }
        let address = try folder.serverAddress()
        let database = try address.map { Database(lookingAt: $0) } ?? Database(reading: folder.databasePath)
        // What the body throws is its own, and does not come through a look at the database.
        try database.look { connection in Result { try write(key, &connection, output, tell) } }.get()
    }

    private func write(
        _ key: [UInt8], _ connection: inout Connection, _ output: ([UInt8]) throws -> Void,
        _ tell: (AdminProgress) throws -> Void
    ) throws {
        guard try Schema.isCurrent(&connection) else { throw TenantFolder.Problem.newer(path: folder.databasePath) }
        let counts = try TransferTable.all.map { try connection.rows($0.count).first?.integer(0) ?? 0 }
        let all = Int(counts.reduce(0, +))
        let head = TransferHead(nativeauthTenant: Schema.version, sealingKey: Data(key), rows: all)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var lines = Array(try encoder.encode(head)) + Self.newline
        var done = 0
        for table in TransferTable.all {
            try connection.each(table.read) { row in
                let values = [JSONValue.string(table.name)] + row.values.map(\.transferred)
                lines += JSONValue.array(values).json + Self.newline
                done += 1
                guard lines.count > Self.portion else { return }
                try output(lines)
                lines = []
                try tell(AdminProgress(done: done, of: all))
            }
        }
        try output(lines)
    }

    private static let newline = [UInt8(ascii: "\n")]
    /// In bytes.
    private static let portion = 64 * 1024
}

/// Writes down that the whole tenant is about to be read.
package struct NoteExport: AdminCall {
    package init() {}

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        try tenant.provider.auditReading("tenant exported")
        return Done()
    }
}

extension IdentityProvider {
    /// Writes down that the tenant came here from another database.
    package func noteImport() throws {
        try database.transaction { connection in try audit("tenant imported", &connection) }
    }
}
