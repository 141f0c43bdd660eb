// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Mails of a server's that stand in the spool, and perhaps not on the disk yet.
///
/// To wait for the disk at each mail would take longer than all else of a sign-in. So the messages stay in the outbox, which
/// is durable, until one sync has been for many. After a power failure they are delivered once more, to files of the same
/// names.
final class SpoolSettler: Sendable {
    private let spool: Spool
    private let database: Database
    private let rows = Mutex<[Int64]>([])
    private let queue = DispatchQueue(label: "spool")
    /// How long a message waits for others; its claim lasts much longer.
    private static let rest = DispatchTimeInterval.milliseconds(100)

    init(_ spool: Spool, _ database: Database) {
        self.spool = spool
        self.database = database
    }

    /// Takes a message of the outbox that was just written to the spool.
    func add(_ row: Int64) {
        let isFirst = rows.withLock { rows in
            rows.append(row)
            return rows.count == 1
        }
        guard isFirst else { return }
        // Where this fails the claims end, and the messages are delivered again.
        queue.asyncAfter(deadline: .now() + Self.rest) { [self] in try? settle() }
    }

    /// Returns when everything that was taken is on the disk, and gone from the outbox.
    func settle() throws {
        let taken = rows.withLock { rows in
            defer { rows = [] }
            return rows
        }
        guard !taken.isEmpty else { return }
        try spool.sync()
        try database.transaction { connection in
            for row in taken { try connection.run("DELETE FROM outbox WHERE id = ?", .integer(row)) }
        }
    }
}

extension TenantFolder {
    /// The same tenant for a server: a mail of its spool is on the disk a moment after its answer.
    package func settlingLater(_ provider: IdentityProvider) -> IdentityProvider {
        var provider = provider
        let settler = SpoolSettler(spool, provider.database)
        provider.settler = settler
        provider.take(WaysOut(provider.settings, spool, settler))
        return provider
    }
}
