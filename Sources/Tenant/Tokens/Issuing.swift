// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A session: a family of refresh tokens that began with one sign-in.
struct StoredSession: Sendable {
    let id: String
    let counter: Int64
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
        return session
    }

    /// How long a refresh token is good, in seconds: the service is stricter with people who have no password.
    private func lifetime(of session: StoredSession) -> Int64 {
        Int64(session.amr.contains(.password) ? settings.refreshTokenLifetime : settings.codeRefreshTokenLifetime)
    }

    /// The answer of the token endpoint.
    func issue(
        for account: StoredAccount, _ session: StoredSession, _ grant: Grant, _ app: AppRegistration,
        _ call: SignIn.Token, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Tokens {
        let provided = try providedClaims(about: account, grant, app, exchange, &connection)
        // As the service does: not all tokens of a busy minute end in the same minute.
        let life = settings.accessTokenLifetime + Int(random.below(UInt32(settings.accessTokenLifetime / 2 + 1)))
        let common = commonClaims(account, session, clientID: call.clientId.lowercased(), exchange)
        return Tokens(
            tokenType: "Bearer", scope: grant.scopes.joined(separator: " "), expiresIn: life, extExpiresIn: life,
            // As the service does: a token that lives for hours is renewed long before its end.
            refreshIn: life >= 7200 ? life / 2 : nil,
            accessToken: try signer.sign(
                common.merging(accessClaims(account, provided, grant, call, exchange, life: life)) { own, _ in own }),
            refreshToken: grant.contains(.offlineAccess) ? refreshToken(session) : nil,
            idToken: grant.contains(.openid)
                ? try signer.sign(
                    common.merging(idClaims(account, provided, session, grant, app, call, exchange)) { own, _ in own })
                : nil,
            clientInfo: call.clientInfo == nil ? nil : try clientInfo(account))
    }

    /// What an extension tells about the person, by names of its own.
    private func providedClaims(
        about account: StoredAccount, _ grant: Grant, _ app: AppRegistration, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws -> [String: JSONValue] {
        let callout = Callout.tokenIssuanceStart(user: CalloutUser(account, settings))
        if case .claims(let claims)? = try outcome(of: callout, app, grant.resource, exchange, &connection) {
            return claims
        }
        return [:]
    }

    private func commonClaims(
        _ account: StoredAccount, _ session: StoredSession, clientID: String, _ exchange: Exchange
    ) -> [String: JSONValue] {
        [
            "ver": .string("2.0"), "iss": .string(settings.issuer), "iat": .integer(exchange.seconds),
            "nbf": .integer(exchange.seconds), "auth_time": .integer(session.signedInAt),
            "sub": .string(subject(account, clientID: clientID)), "oid": .string(account.id),
            "tid": .string(settings.tenantID), "sid": .string(session.id),
            "uti": .string(Base64URL.encode(random.bytes(16))),
            "preferred_username": .string(account.username.text),
            "name": account.attributes["displayName"] ?? .string("unknown"),
        ]
    }

    private func accessClaims(
        _ account: StoredAccount, _ provided: [String: JSONValue], _ grant: Grant, _ call: SignIn.Token,
        _ exchange: Exchange, life: Int
    ) -> [String: JSONValue] {
        let attributes = UserInfo.attributeClaims(account)
        return (grant.resource.claims ?? []).claims(of: account, provided)
            .merging(attributes.filter { grant.claims.accessToken.contains($0.key) }) { mapped, _ in mapped }
            .merging([
                "aud": .string(grant.resource.id), "exp": .integer(exchange.seconds + Int64(life)),
                "azp": .string(call.clientId.lowercased()), "azpacr": .string("0"), "scp": .string(grant.scp),
            ]) { $1 }
    }

    /// What people typed is added to the tenant's own claims, and never replaces one.
    private func idClaims(
        _ account: StoredAccount, _ provided: [String: JSONValue], _ session: StoredSession, _ grant: Grant,
        _ app: AppRegistration, _ call: SignIn.Token, _ exchange: Exchange
    ) -> [String: JSONValue] {
        let attributes = UserInfo.attributeClaims(account)
        let asked = attributes.filter { grant.claims.idToken.contains($0.key) || $0.key == "email" }
        return (app.claims?.claims(of: account, provided).merging(asked) { mapped, _ in mapped } ?? attributes).merging(
            [
                "aud": .string(call.clientId.lowercased()),
                "exp": .integer(exchange.seconds + Int64(settings.idTokenLifetime)),
                "amr": .array(session.amr.map { .string($0.rawValue) }),
            ]) { $1 }
    }

    /// Another name for the account at each app, so that apps cannot compare notes (OpenID Connect Core 1.0, section 8.1).
    func subject(_ account: StoredAccount, clientID: String) -> String {
        Base64URL.encode(vault.mac(.subject, account.id, clientID))
    }

    private func clientInfo(_ account: StoredAccount) throws -> String {
        Base64URL.encode(try WireJSON.encode(ClientInfo(uid: account.id, utid: settings.tenantID)))
    }
}

// MARK: - Refresh tokens

extension IdentityProvider {
    /// `{session}.{counter}.{keyed hash of both}`: a forged one is told without a look into the database.
    private func refreshToken(_ session: StoredSession) -> String {
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
            try refreshed(secret, call, exchange)
        }
        guard let tokens else { throw Refusal.deadRefreshToken }
        return try exchange.answer(tokens)
    }

    /// Nil for a token that gives nothing any more.
    private func refreshed(_ secret: String, _ call: SignIn.Token, _ exchange: Exchange) throws -> Tokens? {
        try database.transaction { connection in
            let app = try app(call.clientId, &connection)
            let asked = try grant(call, app, &connection)
            guard let (id, counter) = read(secret),
                let (session, account) = try session(id, call, exchange, &connection)
            else { return nil }
            guard session.counter - counter <= 1 else {
                try connection.run("UPDATE session SET revoked = 1 WHERE id = ?", .text(id))
                return nil
            }
            try check(session, account, app)
            let next = max(session.counter, counter + 1)
            try connection.run(
                "UPDATE session SET counter = ?, expires_at = ? WHERE id = ?", .integer(next),
                .integer(exchange.seconds + lifetime(of: session)), .text(id))
            let renewed = StoredSession(
                id: id, counter: next, signedInAt: session.signedInAt, scopes: session.scopes, amr: session.amr)
            // RFC 6749, section 6: no scope means the scope that was granted first.
            var granted = asked
            if asked.scopes.isEmpty {
                granted = try grant(session.scopes, app, &connection)
                granted.claims = asked.claims
            }
            return try issue(for: account, renewed, granted, app, call, exchange, &connection)
        }
    }

    /// Whether the person may still have tokens, and has proven enough for them.
    private func check(_ session: StoredSession, _ account: StoredAccount, _ app: AppRegistration) throws(Refusal) {
        guard !account.status.isDisabled else { throw .accountDisabled }
        let authentication = Authentication(account: account.id, client: ClientAbilities([], nil), amr: session.amr)
        if authentication.isWeak, app.multiFactor?.applies(to: authentication) == true { throw .mfaForRefresh }
    }

    private func session(
        _ id: String, _ call: SignIn.Token, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> (StoredSession, StoredAccount)? {
        let rows = try connection.rows(
            """
            SELECT counter, signed_in_at, account, scopes, amr FROM session
            WHERE id = ? AND client_id = ? AND revoked = 0 AND expires_at > ?
            """, .text(id), .text(call.clientId.lowercased()), .integer(exchange.seconds))
        guard let row = rows.first, let counter = row.integer(0), let signedIn = row.integer(1),
            let owner = row.text(2),
            let account = try account(owner, &connection)
        else { return nil }
        let scopes = (row.text(3) ?? "").split(separator: " ").map(String.init)
        let amr = (row.text(4) ?? "").split(separator: " ").compactMap { AuthenticationMethod(rawValue: String($0)) }
        return (StoredSession(id: id, counter: counter, signedInAt: signedIn, scopes: scopes, amr: amr), account)
    }
}

extension CalloutUser {
    fileprivate init(_ account: StoredAccount, _ settings: Settings) {
        self.init(
            id: account.id, userPrincipalName: "\(account.id)@\(settings.name).onmicrosoft.com",
            createdAt: Date(timeIntervalSince1970: TimeInterval(account.createdAt)))
        mail = account.username.text
        displayName = account.attributes["displayName"]?.string
        givenName = account.attributes["givenName"]?.string
        surname = account.attributes["surname"]?.string
    }
}
