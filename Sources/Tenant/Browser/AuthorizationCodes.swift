// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Authorization codes: good once, for a minute, for the app that asked and can prove it.
extension IdentityProvider {
    private static let codeLife: Int64 = 60

    /// A code for whoever has proven enough.
    func grantCode(
        _ authentication: Authentication, _ request: AuthorizationRequest, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws -> String {
        try connection.run(
            """
            DELETE FROM authorization_code WHERE code IN
            (SELECT code FROM authorization_code WHERE expires_at < ? LIMIT 20)
            """, .integer(exchange.seconds - 86400))
        let code = random.token()
        try connection.run(
            "INSERT INTO authorization_code (code, client_id, request, authentication, expires_at) VALUES (?, ?, ?, ?, ?)",
            .blob(Digest.sha256(code.utf8)), .text(request.asker.clientID), .text(try StoredJSON.text(request)),
            .text(try StoredJSON.text(authentication)), .integer(exchange.seconds + Self.codeLife))
        return code
    }

    /// Exchanges a code for tokens.
    ///
    /// Whoever shows it a second time has copied it, or was copied from, and takes with them what the first had of it
    /// (RFC 6749, section 4.1.2). A wrong secret uses the code up as a right one does.
    func redeemAuthorizationCode(_ call: SignIn.Token, _ exchange: Exchange) throws -> Answer {
        guard let code = call.code else { throw Refusal.missing("code") }
        guard call.redirectUri != nil else { throw Refusal.missing("redirect_uri") }
        guard call.codeVerifier != nil else { throw Refusal.missing("code_verifier") }
        return try redeem(code, exchange) { hash, connection in try redeemed(hash, call, exchange, &connection) }
    }

    /// Exchanges a secret that is kept as a hash. What a refusal has written stays, for it is an answer and no error.
    func redeem(
        _ secret: String, _ exchange: Exchange,
        _ body: ([UInt8], inout Connection) throws -> Result<SettledAnswer, Refusal>
    ) throws -> Answer {
        let hash = Digest.sha256(secret.utf8)
        let result = try asking(for: hash, exchange) {
            try database.transaction { connection in try body(hash, &connection) }
        }
        switch result {
        case .success(let settled): return try answer(settled, exchange)
        case .failure(let refusal): return exchange.answer(refusing: refusal)
        }
    }

    private func redeemed(
        _ hash: [UInt8], _ call: SignIn.Token, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Result<SettledAnswer, Refusal> {
        let app = try publicApp(call.clientId, &connection)
        let rows = try connection.rows(
            "SELECT request, authentication, expires_at, used, session FROM authorization_code WHERE code = ? AND client_id = ?",
            .blob(hash), .text(app.clientID.lowercased()))
        guard let row = rows.first else { return .failure(.unknownCode) }
        guard row.integer(3) == 0 else {
            if let session = row.text(4) {
                _ = try endSession(session, clientID: app.clientID, .codeReuse, exchange, &connection)
            }
            return .failure(.usedCode)
        }
        guard exchange.seconds < row.integer(2) ?? 0 else { return .failure(.expiredCode) }
        let request = try StoredJSON.value(AuthorizationRequest.self, row.text(0))
        try connection.run("UPDATE authorization_code SET used = 1 WHERE code = ?", .blob(hash))
        guard call.redirectUri.map({ $0.utf8.elementsEqual(request.asker.redirect.utf8) }) == true else {
            return .failure(.otherRedirect)
        }
        guard call.codeVerifier.map({ CodeVerifier.fits($0, request.challenge) }) == true else {
            return .failure(.wrongVerifier)
        }
        let proven = try StoredJSON.value(Authentication.self, row.text(1))
        let outcome = try tokens(for: proven, request.wish, app, call, exchange, &connection)
        if case .success(let issued) = outcome {
            try connection.run(
                "UPDATE authorization_code SET session = ? WHERE code = ?", .text(issued.session), .blob(hash))
        }
        return outcome.map(\.answer)
    }
}

/// Tokens that a browser led to.
struct BrowserTokens {
    let answer: SettledAnswer
    let session: String
}

extension IdentityProvider {
    /// Tokens for whoever has proven to be somebody in a browser, while the proof counts.
    func tokens(
        for authentication: Authentication, _ wish: TokenWish, _ app: AppRegistration, _ call: SignIn.Token,
        _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Result<BrowserTokens, Refusal> {
        let account: StoredAccount
        switch try owner(of: authentication, &connection) {
        case .success(let owner): account = owner
        case .failure(let refusal): return .failure(refusal)
        }
        if authentication.isWeak, app.multiFactor?.applies(to: authentication) == true {
            return .failure(.mfaForRefresh)
        }
        var grant = try grant(wish.scopes, app, &connection)
        if let claims = wish.claims { grant.claims = try ClaimsRequest(claims) }
        let session = try openSession(
            account, authentication, grant, clientID: app.clientID, exchange, &connection)
        var issue = TokenIssue(account: account, session: session, grant: grant, app: app)
        issue.nonce = wish.nonce
        let tokens = try self.issue(issue, tellingClientInfo: call.clientInfo != nil, exchange, &connection)
        return .success(BrowserTokens(answer: .unsigned(tokens), session: session.id))
    }
}

/// The secret behind a challenge (RFC 7636).
enum CodeVerifier {
    /// 43 to 128 characters of a small alphabet (section 4.1), whose S256 is the challenge.
    static func fits(_ verifier: String, _ challenge: String) -> Bool {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(isAllowed) else { return false }
        return Digest.equal(Array(Base64URL.encode(Digest.sha256(verifier.utf8)).utf8), Array(challenge.utf8))
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}

extension AppRegistration {
    init(stored text: String) throws { self = try StoredJSON.value(AppRegistration.self, text) }
}
