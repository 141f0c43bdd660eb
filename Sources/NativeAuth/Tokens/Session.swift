// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The signed-in account of one app: begins with tokens, gives access tokens, ends with a sign-out.
struct Session: Sendable {
    let service: Service
    let cache: StoredTokenCache
    let provider: Provider

    init(service: Service, storage: any TokenStorage) {
        self.service = service
        cache = StoredTokenCache(storage: storage)
        provider = Provider(service: service, cache: cache)
    }

    /// The lives of tokens that are believed, in seconds.
    private static let lifetimes = 1...365 * 86400

    var owner: CacheOwner { CacheOwner(service.configuration) }

    /// Keeps the tokens of a finished sign-in. What was there of the same account makes way, and other accounts where only
    /// one is kept; but only now that the new tokens have been checked.
    ///
    /// - Parameter nonce: What the ID token has to hold to be the one that was asked for; nil where nothing was sent.
    func begin(
        with tokens: Tokens, scopes: [String], correlationID: String, nonce: String? = nil
    ) async throws(AuthError) -> Account {
        let issued = try await check(
            tokens, scopes: Scope.requested(scopes), correlationID: correlationID, nonce: nonce)
        let cached = try await cache.change { (cache) throws(AuthError) in
            let others = service.configuration.keepsOtherAccounts
            cache.removeEverything(of: owner, account: others ? issued.homeAccountID : nil)
            cache.keep(issued, for: owner, at: service.time.now())
            cache.noteSignIn(issued.homeAccountID, of: owner, scopes: scopes, at: service.time.now())
            provider.remember(in: &cache)
            cache.note(service.clock)
            let account = cache.account(of: owner, id: issued.homeAccountID)
            cache.record(.signedIn, account, correlationID: correlationID, at: service.time.now())
            return account
        }
        guard let cached, let account = Account(cached, session: self) else {
            throw AuthError(.untrustedIDToken(.malformed), correlationID: correlationID)
        }
        return account
    }

    func account() throws(AuthError) -> Account? {
        try cache.read().account(of: owner).flatMap { Account($0, session: self) }
    }

    /// Everybody who is signed in; the active account first.
    func accounts() throws(AuthError) -> [Account] {
        try cache.read().accounts(of: owner).compactMap { Account($0, session: self) }
    }

    /// Makes the account the active one, if it is signed in still.
    func activate(_ account: String) async throws(AuthError) {
        try await cache.change { (cache) throws(AuthError) in
            guard cache.account(of: owner, id: account) != nil else { throw AuthError(.signInRequired) }
            cache.activate(account, of: owner)
            cache.record(.switched, cache.account(of: owner), at: service.time.now())
        }
    }

    /// Forgets the account's tokens.
    ///
    /// - Parameter account: Whose session. Somebody else may have signed in since.
    /// - Returns: The refresh tokens that were there, for the tenant to be told.
    @discardableResult
    func end(of account: String) async throws(AuthError) -> [String] {
        try await cache.forget(everything: false) { cache in
            let secrets = cache.refreshTokens(of: owner, account: account)
            cache.record(.signedOut, cache.account(of: owner, id: account), at: service.time.now())
            cache.forgetNames(of: account)
            cache.removeEverything(of: owner, account: account)
            return secrets
        }
    }

    /// Forgets everybody's tokens, and those too that no account can be made of.
    ///
    /// - Returns: The refresh tokens that were there.
    @discardableResult
    func endAll() async throws(AuthError) -> [String] {
        try await cache.forget(everything: true) { cache in
            let secrets = cache.refreshTokens(of: owner)
            cache.record(.signedOut, nil, at: service.time.now())
            cache.forgetNames(of: nil)
            cache.removeEverything(of: owner)
            return secrets
        }
    }
}

// MARK: - Reading tokens

extension Session {
    /// Reads a token answer strictly, and checks its ID token.
    ///
    /// - Parameter scopes: What was asked for: what is granted, where the answer does not say (RFC 6749, section 5.1).
    func check(
        _ tokens: Tokens, scopes: [Scope], correlationID: String, nonce: String? = nil
    ) async throws(AuthError) -> IssuedTokens {
        guard let id = tokens.idToken else { throw incomplete(correlationID) }
        let plain = try read(tokens, scopes, correlationID)
        let claims = try await provider.claims(of: id, correlationID: correlationID)
        guard nonce == nil || claims.string("nonce") == nonce else {
            throw AuthError(.untrustedIDToken(.nonce), correlationID: correlationID)
        }
        let person = Person(claims, tokens.clientInfo, authority: service.configuration.authority)
        return plain.issued(to: person, idToken: id, claims)
    }

    /// Reads an answer without an ID token, which is for the same account as the refresh token was.
    func read(
        _ tokens: Tokens, _ scopes: [Scope], of account: CachedAccount, _ correlationID: String
    ) throws(AuthError) -> IssuedTokens {
        let plain = try read(tokens, scopes, correlationID)
        guard let claims = Claims(uncheckedToken: account.idToken) else { throw incomplete(correlationID) }
        let person = Person(claims, nil, authority: service.configuration.authority)
        guard person.homeAccountID == account.homeAccountID else { throw incomplete(correlationID) }
        return plain.issued(to: person, idToken: account.idToken, claims)
    }

    private func read(
        _ tokens: Tokens, _ scopes: [Scope], _ correlationID: String
    ) throws(AuthError) -> PlainTokens {
        guard tokens.tokenType?.lowercased() == "bearer", let access = tokens.accessToken, access.isToken,
            let life = tokens.expiresIn, Self.lifetimes.contains(life), tokens.refreshToken?.isToken ?? true
        else { throw incomplete(correlationID) }
        return PlainTokens(
            access: access, refresh: tokens.refreshToken,
            scopes: tokens.scope.map { $0.split(separator: " ").map(String.init) } ?? scopes.map(\.rawValue),
            received: service.time.now(), life: life,
            extendedLife: tokens.extExpiresIn.map { max(life, min($0, Self.lifetimes.upperBound)) } ?? life,
            refreshIn: tokens.refreshIn.map { min(max(0, $0), life) })
    }

    private func incomplete(_ correlationID: String) -> AuthError {
        AuthError(.unexpectedAnswer(.incompleteTokens), endpoint: SignIn.Token.path, correlationID: correlationID)
    }
}

/// The tokens of an answer, apart from whose they are.
private struct PlainTokens {
    let access: String
    let refresh: String?
    let scopes: [String]
    let received: Date
    let life: Int
    let extendedLife: Int
    let refreshIn: Int?

    func issued(to person: Person, idToken: String, _ claims: Claims) -> IssuedTokens {
        func after(_ seconds: Int) -> Date { received.addingTimeInterval(TimeInterval(seconds)) }
        return IssuedTokens(
            homeAccountID: person.homeAccountID, realm: person.realm, localAccountID: person.localAccountID,
            username: person.username, name: claims.string("name"), idToken: idToken, accessToken: access,
            scopes: scopes, expiresOn: after(life), extendedExpiresOn: after(extendedLife),
            refreshOn: refreshIn.map(after), refreshToken: refresh)
    }
}

extension String {
    /// Tokens are visible ASCII (RFC 6749, appendix A.12 and A.17; RFC 6750, section 2.1). Anything else would be a header of
    /// its own, or a command to a terminal, where the token is used.
    fileprivate var isToken: Bool { !isEmpty && utf8.allSatisfy { (0x21...0x7E).contains($0) } }
}
