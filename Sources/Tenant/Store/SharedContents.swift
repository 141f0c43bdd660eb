// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What the owner has set, at a server that shares its database with others: each of them can be told to change it.
package final class SharedContents: Sendable {
    private let database: Database
    private let known: Mutex<[SQLValue]>

    /// Nil where no other server can change anything.
    package init?(_ provider: IdentityProvider) throws {
        guard provider.database.isShared else { return nil }
        database = provider.database
        known = Mutex(try database.transaction { connection in try TenantContents.mark(&connection) })
    }

    /// Reads them again if something is another than at the last look.
    package func follow(_ reload: () throws -> Void) throws {
        let mark = try database.transaction { connection in try TenantContents.mark(&connection) }
        guard known.withLock({ $0 != mark }) else { return }
        try reload()
        known.withLock { $0 = mark }
    }
}

extension IdentityProvider {
    /// Drops what is over, where requests leave that to somebody else. To be called every second.
    package func tidy() throws {
        var gone = 0
        repeat {
            gone = try database.transaction { connection in try dropWhatIsOver(at: seconds, &connection) }
        } while gone >= 20
    }
}
