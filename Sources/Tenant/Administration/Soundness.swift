// SPDX-License-Identifier: Apache-2.0

extension IdentityProvider {
    /// Whether the database hangs together: what a server looks at before it answers anybody.
    package var isSound: Bool {
        let rows = try? database.look { connection in try? connection.rows("PRAGMA quick_check(1)") }
        return rows?.first?.text(0) == "ok"
    }

    /// The same, and whether indices and tables say the same; this reads everything.
    var isUndamaged: Bool {
        let rows = try? database.look { connection in try? connection.rows("PRAGMA integrity_check(1)") }
        return rows?.first?.text(0) == "ok"
    }
}
