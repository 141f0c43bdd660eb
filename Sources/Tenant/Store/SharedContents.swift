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

    /// Whether something is another than at the last look.
    package func haveChanged() throws -> Bool {
        let mark = try database.transaction { connection in try TenantContents.mark(&connection) }
        return known.withLock { known in
            defer { known = mark }
            return known != mark
        }
    }
}
