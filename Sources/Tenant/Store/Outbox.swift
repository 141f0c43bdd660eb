// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// A mail or a text message with a code in it.
package struct CodeMessage: Sendable, Codable, Equatable {
    package enum Purpose: String, Sendable, Codable {
        case signUp
        case signIn
        case passwordReset
        case secondFactor
        case registration
    }

    package var purpose: Purpose
    package var to: Contact
    package var code: String
    /// For how many seconds the code is good.
    package var lifetime: Int
    /// Names the message for good, so that one that is delivered twice can be told.
    package var id: String
    package var date: Date
}

/// Messages on their way out. They are written in the same transaction as the code, and so is never one without the
/// other; they leave after it, and stay until they have left.
///
/// Whoever delivers a message has claimed it for a while, so that a slow way out does not make two of it.
extension IdentityProvider {
    /// In seconds: longer than any way out takes.
    private static let claim: Int64 = 30
    /// In seconds, after a failure.
    private static let pause: Int64 = 5

    /// Whoever posts a message has claimed it.
    func post(_ message: CodeMessage, _ exchange: Exchange, _ connection: inout Connection) throws {
        let sealed = vault.seal(Array(try JSONEncoder().encode(message)))
        try connection.run(
            "INSERT INTO outbox (sealed, request, claimed_until) VALUES (?, ?, ?)", .blob(sealed),
            .text(exchange.traceID), .integer(exchange.seconds + Self.claim))
    }

    /// Hands over what the request has posted, and one message that was left behind: a request does not wait for long
    /// because of others.
    func deliver(_ exchange: Exchange) {
        let waiting = try? database.transaction { connection in
            try connection.rows("SELECT id, sealed FROM outbox WHERE request = ?", .text(exchange.traceID))
                + connection.claim(at: exchange.seconds, for: Self.claim)
        }
        for row in waiting ?? [] { deliver(row) }
    }

    /// Hands over whatever nobody has claimed, each message once.
    package func deliverWaiting() {
        var last: Int64 = 0
        while let row = try? database.transaction({ connection in
            try connection.claim(at: seconds, for: Self.claim, after: last).first
        }), let id = row.integer(0) {
            deliver(row)
            last = id
        }
    }

    private var seconds: Int64 { Int64(now().timeIntervalSince1970) }

    private func deliver(_ row: Row) {
        guard let id = row.integer(0), let bytes = row.blob(1).flatMap(vault.open),
            let message = try? JSONDecoder().decode(CodeMessage.self, from: Data(bytes))
        else { return }
        // A code that is good no longer helps nobody.
        let isOver = message.date.timeIntervalSince1970 + TimeInterval(message.lifetime) <= TimeInterval(seconds)
        let isDelivered = isOver || (try? deliver(message)) != nil
        // If this fails the message goes out a second time, under the same id: better twice than never.
        _ = try? database.transaction { connection in
            try isDelivered
                ? connection.run("DELETE FROM outbox WHERE id = ?", .integer(id))
                : connection.run(
                    "UPDATE outbox SET claimed_until = ? WHERE id = ?", .integer(seconds + Self.pause), .integer(id))
        }
    }
}

extension Connection {
    /// Claims the oldest message that nobody has claimed; no rows where there is none.
    fileprivate mutating func claim(
        at seconds: Int64, for duration: Int64, after last: Int64 = 0
    ) throws(StoreError) -> [Row] {
        try rows(
            """
            UPDATE outbox SET claimed_until = ?
            WHERE id = (SELECT id FROM outbox WHERE claimed_until <= ? AND id > ? ORDER BY id LIMIT 1)
            RETURNING id, sealed
            """, .integer(seconds + duration), .integer(seconds), .integer(last))
    }

    /// Takes back the claims of a process that is no more. To be called by whoever has just opened the database: there
    /// is never more than one.
    mutating func releaseClaims() throws {
        guard try !rows("SELECT 1 FROM outbox WHERE claimed_until > 0 LIMIT 1").isEmpty else { return }
        try run("UPDATE outbox SET claimed_until = 0")
    }
}
