// SPDX-License-Identifier: Apache-2.0

import Wire

/// A strong method that an account has registered: a contact that codes go to.
struct StoredMethod: Sendable {
    let id: String
    let contact: Contact

    fileprivate init?(_ row: Row) {
        guard let id = row.text(0), let contact = row.text(1).flatMap(Contact.init) else { return nil }
        self.id = id
        self.contact = contact
    }

    /// As it is listed; the owner knows the rest of the contact.
    var wire: Methods.Method {
        Methods.Method(
            id: id, challengeType: .oob, challengeChannel: contact.channel, loginHint: contact.masked)
    }
}

extension IdentityProvider {
    func methods(of account: String, _ connection: inout Connection) throws -> [StoredMethod] {
        try connection.rows(
            "SELECT id, contact FROM method WHERE account = ? ORDER BY registered_at, contact", .text(account)
        ).compactMap(StoredMethod.init)
    }

    /// Registers a contact; one that is registered already stays what it is.
    func register(_ contact: Contact, for account: String, at seconds: Int64, _ connection: inout Connection) throws {
        try connection.run(
            """
            INSERT INTO method (id, account, contact, registered_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (account, contact) DO NOTHING
            """, .text(random.uuid()), .text(account), .text(contact.key), .integer(seconds))
    }
}
