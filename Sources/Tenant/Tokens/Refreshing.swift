// SPDX-License-Identifier: Apache-2.0

import Wire

/// Refresh tokens.
extension IdentityProvider {
    /// `{session}.{counter}.{keyed hash of both}`: a forged one is told without a look into the database.
    func refreshToken(_ session: StoredSession) -> String {
        let mac = Base64URL.encode(vault.mac(.refreshToken, session.id, String(session.counter)))
        return "\(session.id).\(session.counter).\(mac)"
    }

    /// The session and the counter in a refresh token of this tenant.
    func readRefreshToken(_ token: String) -> (session: String, counter: Int64)? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let counter = Int64(parts[1]), let mac = Base64URL.decode(parts[2]),
            Digest.equal(Array(mac), vault.mac(.refreshToken, parts[0], parts[1]))
        else { return nil }
        return (parts[0], counter)
    }

    /// Exchanges a refresh token for new tokens.
    ///
    /// The newest token gives the next one. What has been used has been copied, and ends the session (RFC 9700, section
    /// 4.14.2), with one exception, since an answer may be lost on its way. Lenient tenants give the bearer of the token
    /// before the newest the newest again: the service, too, keeps an old token alive for a while. Strict ones give the
    /// same request, to the last byte, the same answer for a minute.
    func refresh(_ secret: String, _ call: SignIn.Token, _ exchange: Exchange) throws -> Answer {
        let settled: SettledAnswer? = try asking(for: Digest.sha256(secret.utf8), exchange) {
            try database.transaction { connection in try refreshed(secret, call, exchange, &connection) }
        }
        guard let settled else { throw Refusal.deadRefreshToken }
        return try answer(settled, exchange)
    }

    /// Nil for a token that gives nothing any more.
    private func refreshed(
        _ secret: String, _ call: SignIn.Token, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> SettledAnswer? {
        let app = try publicApp(call.clientId, &connection)
        let asked = try grant(call, app, &connection)
        guard let (id, counter) = readRefreshToken(secret),
            let (session, account) = try session(id, clientID: call.clientId, exchange, &connection)
        else { return nil }
        guard session.counter - counter <= (settings.refreshTokenReuse == .strict ? 0 : 1) else {
            if let kept = try keptAnswer(session, exchange, &connection) {
                try check(session, account, app)
                return kept
            }
            _ = try endSession(id, clientID: call.clientId, .refreshReuse, exchange, &connection)
            return nil
        }
        try check(session, account, app)
        var issue = TokenIssue(
            account: account, session: session, grant: try completed(asked, session, app, &connection), app: app)
        guard let advanced = try advance(issue, from: counter, exchange, &connection) else { return nil }
        issue.session = advanced
        let tokens = try self.issue(issue, tellingClientInfo: call.clientInfo != nil, exchange, &connection)
        let answer = SettledAnswer.unsigned(tokens)
        if advanced.counter > session.counter { try keep(answer, of: advanced, exchange, &connection) }
        return answer
    }

    /// No scope means the scope that was granted first (RFC 6749, section 6).
    private func completed(
        _ asked: Grant, _ session: StoredSession, _ app: AppRegistration, _ connection: inout Connection
    ) throws -> Grant {
        guard asked.scopes.isEmpty else { return asked }
        var grant = try grant(session.scopes, app, &connection)
        grant.claims = asked.claims
        return grant
    }

    /// Makes the session's next token the newest, if this one is still what it was taken for: of many uses at once, one
    /// has an effect. Nil for the others.
    private func advance(
        _ issue: TokenIssue, from counter: Int64, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> StoredSession? {
        var session = issue.session
        // Where no new token goes out and old ones are worth nothing, the bearer would be left without one.
        let stays = settings.refreshTokenReuse == .strict && !issue.grant.contains(.offlineAccess)
        if !stays { session.counter = max(session.counter, counter + 1) }
        let changed = try connection.run(
            "UPDATE session SET counter = ?, expires_at = ? WHERE id = ? AND counter = ? AND revoked = 0",
            .integer(session.counter), .integer(exchange.seconds + lifetime(of: session)), .text(session.id),
            .integer(issue.session.counter))
        return changed == 1 ? session : nil
    }

    /// Whether the person may still have tokens, and has proven enough for them.
    func check(_ session: StoredSession, _ account: StoredAccount, _ app: AppRegistration) throws(Refusal) {
        guard !account.status.isDisabled else { throw .accountDisabled }
        let authentication = Authentication(of: account, client: ClientAbilities([], nil), amr: session.amr)
        if authentication.isWeak, app.multiFactor?.applies(to: authentication) == true { throw .mfaForRefresh }
    }
}

// MARK: - Lost answers

extension IdentityProvider {
    private func keep(
        _ answer: SettledAnswer, of session: StoredSession, _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        guard settings.refreshTokenReuse == .strict else { return }
        try connection.run(
            "UPDATE session SET former_request = ?, former_answer = ?, former_until = ? WHERE id = ?",
            .blob(exchange.digest), .blob(try KeptAnswer(answer).sealed(vault)),
            .integer(exchange.seconds + Int64(settings.replayWindow)), .text(session.id))
    }

    /// The answer to the session's last refresh, for the same request sent again.
    private func keptAnswer(
        _ session: StoredSession, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> SettledAnswer? {
        let rows = try connection.rows(
            "SELECT former_request, former_answer FROM session WHERE id = ? AND former_until >= ?", .text(session.id),
            .integer(exchange.seconds))
        guard settings.refreshTokenReuse == .strict, let row = rows.first, let digest = row.blob(0),
            Digest.equal(digest, exchange.digest), let kept = row.blob(1).flatMap({ KeptAnswer(sealed: $0, vault) })
        else { return nil }
        return kept.settled(exchange)
    }
}
