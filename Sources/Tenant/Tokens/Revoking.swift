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
            let app = try publicApp(call.clientId, &connection)
            if let (session, _) = readRefreshToken(call.token) {
                try end(session, of: app, exchange, &connection)
            } else if isSigned(call.token, at: exchange.date) {
                throw Refusal.notRevocable
            }
        }
        return try exchange.answer(RevocationRequest.Done())
    }

    private func end(
        _ session: String, of app: AppRegistration, _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        let ended = try endSession(session, clientID: app.clientID, .revocation, exchange, &connection)
        guard !ended else { return }
        let others = try connection.rows("SELECT 1 FROM session WHERE id = ?", .text(session))
        guard others.isEmpty else { throw Refusal.tokenOfAnotherClient }
    }

    /// Whether this tenant signed a token that has not expired.
    private func isSigned(_ text: String, at seconds: Int64) -> Bool {
        guard let token = JWT(text), keys.signed(token, at: seconds), let expiry = token.claims["exp"]?.integer else {
            return false
        }
        return seconds < expiry
    }
}
