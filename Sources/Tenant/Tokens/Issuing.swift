// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Tokens that are about to be issued: whom they are about, for which app, and what they allow.
struct TokenIssue: Sendable {
    let account: StoredAccount
    var session: StoredSession
    let grant: Grant
    let app: AppRegistration
    /// What an extension tells about the person, by names of its own.
    var provided: [String: JSONValue] = [:]
    /// What the app sent along to tell this ID token from all others (OpenID Connect Core 1.0, section 3.1.2.1).
    var nonce: String?

    var clientID: String { app.clientID.lowercased() }
}

extension IdentityProvider {
    /// The answer of the token endpoint, whose signatures are made later (``SettledAnswer``).
    func issue(
        _ issue: TokenIssue, tellingClientInfo: Bool, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Tokens {
        var issue = issue
        let signer = keys.current(at: exchange.seconds)
        issue.provided = try providedClaims(issue, exchange, &connection)
        // As the service does: not all tokens of a busy minute end in the same minute.
        let least = min(max(1, settings.accessTokenLifetime), Settings.longest)
        let life = min(least + Int(random.below(UInt32(least / 2 + 1))), Settings.longest)
        return Tokens(
            tokenType: "Bearer", scope: issue.grant.scopes.joined(separator: " "), expiresIn: life, extExpiresIn: life,
            // As the service does: a token that lives for hours is renewed long before its end.
            refreshIn: life >= 7200 ? life / 2 : nil,
            accessToken: signer.unsigned(accessClaims(issue, exchange, life: life)),
            refreshToken: issue.grant.contains(.offlineAccess) ? refreshToken(issue.session) : nil,
            idToken: issue.grant.contains(.openid) ? signer.unsigned(idClaims(issue, exchange)) : nil,
            clientInfo: tellingClientInfo ? try clientInfo(issue.account) : nil)
    }

    private func providedClaims(
        _ issue: TokenIssue, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> [String: JSONValue] {
        let callout = Callout.tokenIssuanceStart(user: CalloutUser(issue.account, settings))
        switch try outcome(of: callout, issue.app, issue.grant.resource, exchange, &connection) {
        case .claims(let claims)?: return claims
        default: return [:]
        }
    }

    private func clientInfo(_ account: StoredAccount) throws -> String {
        Base64URL.encode(try WireJSON.encode(ClientInfo(uid: account.id, utid: settings.tenantID)))
    }
}

// MARK: - Claims

extension IdentityProvider {
    private func accessClaims(_ issue: TokenIssue, _ exchange: Exchange, life: Int) -> [String: JSONValue] {
        let asked = UserInfo.attributeClaims(issue.account).filter { issue.grant.claims.accessToken.contains($0.key) }
        return commonClaims(issue, exchange)
            .adding([
                "aud": .string(issue.grant.resource.id), "exp": .integer(exchange.date + Int64(life)),
                "azp": .string(issue.clientID), "azpacr": .string("0"), "scp": .string(issue.grant.scp),
            ])
            .adding((issue.grant.resource.claims ?? []).claims(of: issue.account, issue.provided)).adding(asked)
    }

    private func idClaims(_ issue: TokenIssue, _ exchange: Exchange) -> [String: JSONValue] {
        let attributes = UserInfo.attributeClaims(issue.account)
        let asked = attributes.filter { issue.grant.claims.idToken.contains($0.key) || $0.key == "email" }
        return commonClaims(issue, exchange)
            .adding([
                "aud": .string(issue.clientID), "exp": .integer(exchange.date + Int64(settings.idTokenLifetime)),
                "amr": .array(issue.session.amr.map { .string($0.rawValue) }),
            ])
            .adding(issue.nonce.map { ["nonce": .string($0)] } ?? [:])
            .adding(issue.app.claims?.claims(of: issue.account, issue.provided) ?? attributes).adding(asked)
    }

    private func commonClaims(_ issue: TokenIssue, _ exchange: Exchange) -> [String: JSONValue] {
        [
            "ver": .string("2.0"), "iss": .string(settings.issuer), "iat": .integer(exchange.date),
            "nbf": .integer(exchange.date),
            // The tenant's own time may be ahead of the clock.
            "auth_time": .integer(min(issue.session.signedInAt, exchange.date)),
            "sub": .string(subject(issue.account, clientID: issue.clientID)), "oid": .string(issue.account.id),
            "tid": .string(settings.tenantID), "sid": .string(issue.session.id),
            "uti": .string(Base64URL.encode(random.bytes(16))),
            "preferred_username": .string(issue.account.username.text),
            "name": issue.account.attributes["displayName"] ?? .string("unknown"),
        ]
    }

    /// Another name for the account at each app, so that apps cannot compare notes (OpenID Connect Core 1.0, section 8.1).
    func subject(_ account: StoredAccount, clientID: String) -> String {
        Base64URL.encode(vault.mac(.subject, account.id, clientID))
    }
}

extension [String: JSONValue] {
    /// What is said first stays: what people typed and receivers returned never replaces a claim of the tenant's own.
    fileprivate func adding(_ more: [String: JSONValue]) -> [String: JSONValue] {
        merging(more) { own, _ in own }
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
