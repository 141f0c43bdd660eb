// SPDX-License-Identifier: Apache-2.0

import Wire

/// Refresh tokens.
extension IdentityProvider {
    /// `{session}.{counter}.{keyed hash of both}`: a forged one is told without a look into the database.
    func refreshToken(_ session: StoredSession) -> String {
        let mac = Base64URL.encode(vault.mac(.refreshToken, session.id, String(session.counter)))
        return "\(session.id).\(session.counter).\(mac)"
    }

    private func read(_ token: String) -> (session: String, counter: Int64)? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let counter = Int64(parts[1]), let mac = Base64URL.decode(parts[2]),
            Digest.equal(Array(mac), vault.mac(.refreshToken, parts[0], parts[1]))
        else { return nil }
        return (parts[0], counter)
    }

    /// Exchanges a refresh token for new tokens.
    ///
    /// The newest token gives the next one. The one before gives the newest again: its bearer lost an answer, and the
    /// service, too, keeps an old token alive for a while. Anything older has been copied, and ends the session
    /// (RFC 9700, section 4.14.2).
    func refresh(_ secret: String, _ call: SignIn.Token, _ exchange: Exchange) throws -> Answer {
        let tokens: Tokens? = try asking(for: Digest.sha256(secret.utf8), exchange) {
            try database.transaction { connection in try refreshed(secret, call, exchange, &connection) }
        }
        guard let tokens else { throw Refusal.deadRefreshToken }
        return try exchange.answer(tokens)
    }

    /// Nil for a token that gives nothing any more.
    private func refreshed(
        _ secret: String, _ call: SignIn.Token, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Tokens? {
        let app = try app(call.clientId, &connection)
        var grant = try grant(call, app, &connection)
        guard let (id, counter) = read(secret),
            let found = try session(id, clientID: call.clientId, exchange, &connection)
        else { return nil }
        var (session, account) = found
        guard session.counter - counter <= 1 else {
            try connection.run("UPDATE session SET revoked = 1 WHERE id = ?", .text(id))
            return nil
        }
        try check(session, account, app)
        // RFC 6749, section 6: no scope means the scope that was granted first.
        if grant.scopes.isEmpty {
            let claims = grant.claims
            grant = try self.grant(session.scopes, app, &connection)
            grant.claims = claims
        }
        session.counter = max(session.counter, counter + 1)
        try connection.run(
            "UPDATE session SET counter = ?, expires_at = ? WHERE id = ?", .integer(session.counter),
            .integer(exchange.seconds + lifetime(of: session)), .text(id))
        let issue = TokenIssue(account: account, session: session, grant: grant, app: app)
        return try self.issue(issue, tellingClientInfo: call.clientInfo != nil, exchange, &connection)
    }

    /// Whether the person may still have tokens, and has proven enough for them.
    private func check(_ session: StoredSession, _ account: StoredAccount, _ app: AppRegistration) throws(Refusal) {
        guard !account.status.isDisabled else { throw .accountDisabled }
        let authentication = Authentication(of: account, client: ClientAbilities([], nil), amr: session.amr)
        if authentication.isWeak, app.multiFactor?.applies(to: authentication) == true { throw .mfaForRefresh }
    }
}
