// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import Wire

/// A message that has not left.
package struct OutboxEntry: Sendable, Codable, Equatable {
    /// Why nobody tries any more.
    package enum Reason: String, Sendable, Codable, CaseIterable {
        /// Its code is good no longer.
        case expired
        /// The server will not have it, whenever it is asked.
        case refused
        /// This tenant's key did not seal it.
        case unreadable
    }

    package let id: Int64
    package let channel: Channel
    /// Nil for what cannot be read.
    package let to: String?
    package let postedAt: Int64
    package let expiresAt: Int64?
    package let attempts: Int64
    /// Not before this time, while it waits.
    package let nextAt: Int64
    package let problem: DeliveryFailure.Problem?
    package let reply: String?
    package let abandonedAt: Int64?
    package let reason: Reason?
}

extension IdentityProvider {
    /// What waits and what was given up, oldest first.
    package func outbox() throws -> [OutboxEntry] {
        try settleSpool()
        let rows = try database.transaction { connection in
            try connection.rows(
                """
                SELECT id, channel, sealed, posted_at, expires_at, attempts, next_at, problem, reply, abandoned_at, reason
                FROM outbox ORDER BY id
                """)
        }
        return rows.map { row in
            let message = row.blob(2).flatMap(vault.open).flatMap {
                try? JSONDecoder().decode(CodeMessage.self, from: Data($0))
            }
            return OutboxEntry(
                id: row.integer(0) ?? 0, channel: row.text(1).flatMap(Channel.init) ?? .email, to: message?.to.text,
                postedAt: row.integer(3) ?? 0, expiresAt: row.integer(4) ?? message?.end,
                attempts: row.integer(5) ?? 0, nextAt: row.integer(6) ?? 0,
                problem: row.text(7).flatMap(DeliveryFailure.Problem.init), reply: row.text(8),
                abandonedAt: row.integer(9), reason: row.text(10).flatMap(OutboxEntry.Reason.init))
        }
    }
}
