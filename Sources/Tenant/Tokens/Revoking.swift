// SPDX-License-Identifier: Apache-2.0

import Wire

/// Revocation (RFC 7009).
extension IdentityProvider {
    /// Ends the session that a refresh token belongs to, be the token the newest or a used one: whoever has it has had the
    /// session.
    ///
    /// What is no token here, or none any more, is as good as revoked (section 2.2). The hint is not needed to tell tokens
    /// apart. An access token and an ID token are good by their signature alone, so they cannot be revoked, and the client
    /// is told so (section 2.2.1).
    func revoke(_ call: RevocationRequest, _ exchange: Exchange) throws -> Answer {
        try database.transaction { connection in
            let app = try app(call.clientId, &connection)
            if let (session, _) = readRefreshToken(call.token) {
                try end(session, of: app, &connection)
            } else if isSigned(call.token, at: exchange.seconds) {
                throw Refusal.notRevocable
            }
        }
        return try exchange.answer(RevocationRequest.Done())
    }

    private func end(_ session: String, of app: AppRegistration, _ connection: inout Connection) throws {
        let changed = try connection.run(
            "UPDATE session SET revoked = 1 WHERE id = ? AND client_id = ?", .text(session),
            .text(app.clientID.lowercased()))
        guard changed == 0 else { return }
        let others = try connection.rows("SELECT 1 FROM session WHERE id = ?", .text(session))
        guard others.isEmpty else { throw Refusal.tokenOfAnotherClient }
    }

    /// Whether this tenant signed a token that has not expired.
    private func isSigned(_ text: String, at seconds: Int64) -> Bool {
        guard let token = JWT(text), signer.signed(token), let expiry = token.claims["exp"]?.integer else {
            return false
        }
        return seconds < expiry
    }
}
