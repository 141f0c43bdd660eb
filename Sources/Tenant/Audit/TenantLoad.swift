// SPDX-License-Identifier: Apache-2.0

/// What the tenant has to do at this moment, in numbers.
package struct TenantLoad: Sendable, Equatable {
    /// Flows that can go on.
    package var openFlows: Int
    /// Messages on their way out.
    package var waitingMessages: Int

    package init(openFlows: Int, waitingMessages: Int) {
        self.openFlows = openFlows
        self.waitingMessages = waitingMessages
    }
}

extension IdentityProvider {
    /// How many passwords are being hashed.
    package var hashLoad: HashLoad { hasher.load }

    /// Whether the database answers. This costs the same however much is in it, for strangers may ask.
    package var isAnswering: Bool {
        let rows = try? database.transaction { connection in try connection.rows("SELECT 1 FROM setting LIMIT 1") }
        return rows?.isEmpty == false
    }

    /// - Throws: What the database says where it does not answer.
    package func load() throws -> TenantLoad {
        let seconds = seconds
        return try database.transaction { connection in
            let flows = try connection.rows(
                "SELECT count(*) FROM flow WHERE expires_at > ? AND token IS NOT NULL", .integer(seconds))
            let messages = try connection.rows("SELECT count(*) FROM outbox")
            return TenantLoad(
                openFlows: Int(flows.first?.integer(0) ?? 0), waitingMessages: Int(messages.first?.integer(0) ?? 0))
        }
    }
}
