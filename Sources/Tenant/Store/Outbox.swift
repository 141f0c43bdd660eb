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
    private static let claim: Int64 = 30

    func post(_ message: CodeMessage, _ exchange: Exchange, _ connection: inout Connection) throws {
        let sealed = vault.seal(Array(try JSONEncoder().encode(message)))
        try connection.run(
            "INSERT INTO outbox (sealed, request, claimed_until) VALUES (?, ?, ?)", .blob(sealed),
            .text(exchange.traceID), .integer(exchange.seconds + Self.claim))
    }

    /// Hands over what the request has posted, and what others did not get rid of.
    func deliver(_ exchange: Exchange) {
        deliver(postedBy: exchange.traceID, at: exchange.seconds)
    }

    /// Hands over what nobody else has claimed.
    package func deliverWaiting() {
        deliver(postedBy: nil, at: Int64(now().timeIntervalSince1970))
    }

    private func deliver(postedBy request: String?, at seconds: Int64) {
        let waiting = try? database.transaction { connection in
            let rows = try connection.rows(
                "SELECT id, sealed, request FROM outbox WHERE request = ? OR claimed_until <= ? ORDER BY id LIMIT 100",
                SQLValue(request), .integer(seconds))
            for row in rows where row.text(2) != request {
                try connection.run(
                    "UPDATE outbox SET claimed_until = ? WHERE id = ?", .integer(seconds + Self.claim),
                    .integer(row.integer(0) ?? 0))
            }
            return rows
        }
        for row in waiting ?? [] {
            guard let id = row.integer(0), let bytes = row.blob(1).flatMap(vault.open),
                let message = try? JSONDecoder().decode(CodeMessage.self, from: Data(bytes))
            else { continue }
            let isDelivered = (try? deliver(message)) != nil
            // If this fails the message goes out a second time, under the same id: better twice than never.
            _ = try? database.transaction { connection in
                try connection.run(
                    isDelivered
                        ? "DELETE FROM outbox WHERE id = ?" : "UPDATE outbox SET claimed_until = 0 WHERE id = ?",
                    .integer(id))
            }
        }
    }
}

extension Connection {
    /// Takes back the claims of a process that is no more. To be called by whoever has just opened the database: there
    /// is never more than one.
    mutating func releaseClaims() throws {
        guard try !rows("SELECT 1 FROM outbox WHERE claimed_until > 0 LIMIT 1").isEmpty else { return }
        try run("UPDATE outbox SET claimed_until = 0")
    }
}
