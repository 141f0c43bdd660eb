// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

/// Copies the tenant into a new folder, while it is in use.
package struct BackUp: AdminCall {
    /// An absolute path where nothing is.
    package var path: String

    package init(to path: String) { self.path = path }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        // Before the copy, so that it is in there too.
        try tenant.provider.auditReading("tenant copied")
        try TenantBackup(path: path).make(of: tenant, tell)
        return Done()
    }
}

/// Empties the tenant of people: accounts, flows, sessions, mail. Apps, user flows, APIs, extensions, settings and keys stay.
package struct EmptyTenant: AdminCall {
    package init() {}

    /// How many accounts there were.
    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Int {
        let accounts = try tenant.provider.database.transaction { connection in
            try connection.run("DELETE FROM flow")
            try connection.run("DELETE FROM code_sent")
            try connection.run("DELETE FROM outbox")
            try connection.run("DELETE FROM extension_failure")
            let accounts = try connection.run("DELETE FROM account")
            try tenant.provider.audit("tenant emptied", &connection)
            return accounts
        }
        try tenant.folder.spool.empty()
        return accounts
    }
}
