// SPDX-License-Identifier: Apache-2.0

extension IdentityProvider {
    /// Whether the database hangs together: what a server looks at before it answers anybody. A database server sees to that
    /// itself.
    package var isSound: Bool { database.isShared || says("PRAGMA quick_check(1)") }

    /// The same, and whether indices and tables say the same; this reads everything.
    var isUndamaged: Bool { database.isShared || says("PRAGMA integrity_check(1)") }

    private func says(_ check: String) -> Bool {
        let rows = try? database.look { connection in try? connection.rows(check) }
        return rows?.first?.text(0) == "ok"
    }
}
