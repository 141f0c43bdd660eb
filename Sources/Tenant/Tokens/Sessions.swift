// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A session: a family of refresh tokens that began with one sign-in.
struct StoredSession: Sendable {
    let id: String
    /// Of the newest refresh token.
    var counter: Int64
    let signedInAt: Int64
    /// What was granted at the sign-in.
    let scopes: [String]
    /// How the person signed in.
    let amr: [AuthenticationMethod]
}

extension IdentityProvider {
    func openSession(
        _ account: StoredAccount, _ authentication: Authentication, _ grant: Grant, clientID: String,
        _ exchange: Exchange, _ connection: inout Connection
    ) throws -> StoredSession {
        let session = StoredSession(
            id: random.uuid(), counter: 1, signedInAt: exchange.seconds, scopes: grant.scopes, amr: authentication.amr)
        try connection.run(
            """
            INSERT INTO session (id, account, client_id, scopes, counter, signed_in_at, expires_at, amr)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(session.id), .text(account.id), .text(clientID.lowercased()),
            .text(grant.scopes.joined(separator: " ")), .integer(session.counter), .integer(session.signedInAt),
            .integer(exchange.seconds + lifetime(of: session)),
            .text(session.amr.map(\.rawValue).joined(separator: " ")))
        try audit(
            AuditEvent(
                .signIn, account: account.id, clientID: clientID.lowercased(),
                detail: session.amr.map(\.rawValue).joined(separator: " ")), exchange, &connection)
        return session
    }

    /// Ends a session of this client's, and writes down why unless it was over already.
    ///
    /// - Returns: False if the client has no such session.
    func endSession(
        _ id: String, clientID: String, _ reason: AuditEvent.Kind, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Bool {
        let rows = try connection.rows(
            "SELECT account, revoked FROM session WHERE id = ? AND client_id = ?", .text(id),
            .text(clientID.lowercased()))
        guard let row = rows.first else { return false }
        guard row.integer(1) == 0 else { return true }
        try connection.run("UPDATE session SET revoked = 1 WHERE id = ?", .text(id))
        try audit(
            AuditEvent(reason, account: row.text(0), clientID: clientID.lowercased()), exchange, &connection)
        return true
    }

    /// The session and its owner, while it lasts.
    func session(_ id: String, clientID: String, _ exchange: Exchange, _ connection: inout Connection) throws -> (
        StoredSession, StoredAccount
    )? {
        let rows = try connection.rows(
            """
            SELECT counter, signed_in_at, account, scopes, amr FROM session
            WHERE id = ? AND client_id = ? AND revoked = 0 AND expires_at > ?
            """, .text(id), .text(clientID.lowercased()), .integer(exchange.seconds))
        guard let row = rows.first, let counter = row.integer(0), let signedIn = row.integer(1),
            let owner = row.text(2), let account = try account(owner, &connection)
        else { return nil }
        let scopes = (row.text(3) ?? "").split(separator: " ").map(String.init)
        let amr = (row.text(4) ?? "").split(separator: " ").compactMap { AuthenticationMethod(rawValue: String($0)) }
        return (StoredSession(id: id, counter: counter, signedInAt: signedIn, scopes: scopes, amr: amr), account)
    }

    /// How long a refresh token is good, in seconds: the service is stricter with people who have no password.
    func lifetime(of session: StoredSession) -> Int64 {
        Int64(session.amr.contains(.password) ? settings.refreshTokenLifetime : settings.codeRefreshTokenLifetime)
    }
}
