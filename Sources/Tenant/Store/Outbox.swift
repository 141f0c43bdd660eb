// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// A mail with a code in it.
package struct Mail: Sendable, Codable, Equatable {
    package enum Purpose: String, Sendable, Codable {
        case signUp
        case signIn
    }

    package var purpose: Purpose
    package var to: EmailAddress
    package var code: String
    /// For how many seconds the code is good.
    package var lifetime: Int
    /// Names the mail for good, so that one that is delivered twice can be told.
    package var id: String
    package var date: Date
}

/// Mails on their way out. They are written in the same transaction as the code, and so is never one without the other;
/// they leave after it, and stay until they have left.
extension IdentityProvider {
    func post(_ mail: Mail, _ connection: inout Connection) throws {
        let sealed = vault.seal(Array(try JSONEncoder().encode(mail)))
        try connection.run("INSERT INTO outbox (sealed) VALUES (?)", .blob(sealed))
    }

    /// Hands waiting mails over. One that cannot be delivered now waits for the next occasion.
    package func deliverMail() {
        let waiting = try? database.transaction { connection in
            try connection.rows("SELECT id, sealed FROM outbox ORDER BY id LIMIT 100")
        }
        for row in waiting ?? [] {
            guard let id = row.integer(0), let bytes = row.blob(1).flatMap(vault.open),
                let mail = try? JSONDecoder().decode(Mail.self, from: Data(bytes)), (try? deliver(mail)) != nil
            else { continue }
            // If this fails the mail goes out a second time, under the same id: better twice than never.
            _ = try? database.transaction { connection in
                try connection.run("DELETE FROM outbox WHERE id = ?", .integer(id))
            }
        }
    }
}
