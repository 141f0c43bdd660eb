// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Introspection (RFC 7662): an API asks what a token is worth at this moment.
extension IdentityProvider {
    /// What is said of every token that is worth nothing, whatever the reason (section 2.2).
    private static let inactive = #"{"active":false}"#

    /// The protocol's call for the methods of a second factor has the same address, and other parameters.
    func introspect(_ form: Form, _ exchange: Exchange) throws -> Answer {
        guard let token = form["token"], form["continuation_token"] == nil else {
            return try introspect(try form.call(SignIn.Introspect.self), exchange)
        }
        guard !token.isEmpty else { throw Refusal.missing("token") }
        let facts: [String: JSONValue]? = try database.transaction { connection in
            let api = try callingAPI(form, exchange, &connection)
            return try accessFacts(token, for: api, exchange, &connection)
                ?? refreshFacts(token, exchange, &connection)
        }
        guard let facts else { return exchange.respond(200, Data(Self.inactive.utf8)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return exchange.respond(200, try encoder.encode(facts.merging(["active": .bool(true)]) { $1 }))
    }

    /// What an access token says, while it is good: signed here for the API that asks, in its time, and its session open.
    private func accessFacts(
        _ text: String, for api: String, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> [String: JSONValue]? {
        guard let token = JWT(text), keys.signed(token, at: exchange.seconds),
            token.claims["iss"]?.string == settings.issuer, token.claims["aud"]?.string?.lowercased() == api,
            let scope = token.claims["scp"], let id = token.claims["sid"]?.string,
            let expiry = token.claims["exp"]?.integer, exchange.seconds < expiry,
            try openSession(id, &connection) != nil
        else { return nil }
        var facts = token.claims.filter {
            ["aud", "exp", "iat", "iss", "nbf", "oid", "sid", "sub", "tid"].contains($0.key)
        }
        facts["scope"] = scope
        facts["client_id"] = token.claims["azp"]
        facts["username"] = token.claims["preferred_username"]
        facts["jti"] = token.claims["uti"]
        facts["token_type"] = .string("Bearer")
        return facts
    }

    /// The same of a refresh token that would lead to another one.
    private func refreshFacts(
        _ text: String, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> [String: JSONValue]? {
        guard let (id, counter) = readRefreshToken(text), let session = try openSession(id, &connection),
            exchange.seconds < session.expiry,
            session.counter - counter <= (settings.refreshTokenReuse == .strict ? 0 : 1)
        else { return nil }
        return [
            "client_id": .string(session.clientID), "exp": .integer(session.expiry), "iss": .string(settings.issuer),
            "scope": .string(session.scopes), "sid": .string(id),
            "sub": .string(subject(session.account, clientID: session.clientID)), "oid": .string(session.account.id),
            "tid": .string(settings.tenantID), "username": .string(session.account.username.text),
        ]
    }
}

// MARK: - Sessions

private struct OpenSession: Sendable {
    let account: StoredAccount
    let clientID: String
    let counter: Int64
    let scopes: String
    let expiry: Int64
}

extension IdentityProvider {
    /// A session that nobody has ended, of an account that may sign in.
    private func openSession(_ id: String, _ connection: inout Connection) throws -> OpenSession? {
        let rows = try connection.rows(
            "SELECT account, client_id, counter, scopes, expires_at FROM session WHERE id = ? AND revoked = 0",
            .text(id))
        guard let row = rows.first, let owner = row.text(0), let clientID = row.text(1), let counter = row.integer(2),
            let scopes = row.text(3), let expiry = row.integer(4), let account = try account(owner, &connection),
            !account.status.isDisabled
        else { return nil }
        return OpenSession(account: account, clientID: clientID, counter: counter, scopes: scopes, expiry: expiry)
    }
}

// MARK: - Who asks

extension IdentityProvider {
    /// Gives an API a new secret, which replaces its former one. It is told once, and kept as a hash: 256 random bits need
    /// no slow one.
    ///
    /// - Returns: Nil if there is no such API.
    func makeSecret(forAPI id: String) throws -> String? {
        let secret = random.token()
        let seconds = seconds
        return try database.transaction { connection in
            let id = id.lowercased()
            guard try !connection.rows("SELECT 1 FROM resource WHERE id = ?", .text(id)).isEmpty else { return nil }
            try connection.run(
                """
                INSERT INTO api_secret (resource, hash, created_at) VALUES (?, ?, ?)
                ON CONFLICT (resource) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at
                """, .text(id), .blob(Digest.sha256(secret.utf8)), .integer(seconds))
            try audit("api secret \(id)", &connection)
            return secret
        }
    }

    /// The id of the API that asks.
    ///
    /// - Throws: A refusal for whoever cannot prove to be one.
    private func callingAPI(
        _ form: Form, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> String {
        let basic = exchange.request.headers["authorization"].flatMap(ClientSecret.init(basic:))
        let inForm = ClientSecret(form)
        guard basic == nil || inForm == nil else {
            throw Refusal(.invalidRequest, description: "Send the API's secret in one way, not in two.")
        }
        guard let sent = basic ?? inForm,
            let hash = try connection.rows(
                "SELECT hash FROM api_secret WHERE resource = ?", .text(sent.id)
            ).first?.blob(0), Digest.equal(hash, Digest.sha256(sent.secret.utf8))
        else { throw UnknownCaller() }
        return sent.id
    }
}

/// Thrown where a caller that has to prove who it is does not.
struct UnknownCaller: Error {
    static let refusal = Refusal(
        .invalidClient, description: "Only an API of this tenant may ask, with the secret that it was given.")
    /// RFC 6749, section 5.2.
    static let headers = ["www-authenticate": #"Basic realm="nativeauth", charset="UTF-8""#]
}

/// An id and a secret (RFC 6749, section 2.3.1).
private struct ClientSecret {
    let id: String
    let secret: String

    init?(_ form: Form) {
        guard let secret = form["client_secret"] else { return nil }
        id = (form["client_id"] ?? "").lowercased()
        self.secret = secret
    }

    /// From an `Authorization` header; both parts are coded as in a form.
    init?(basic header: String) {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1]))
        else { return nil }
        let halves = data.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let id = try? Form(body: Array("v=".utf8) + halves[0])["v"],
            let secret = try? Form(body: Array("v=".utf8) + halves[1])["v"]
        else { return nil }
        self.id = id.lowercased()
        self.secret = secret
    }
}
