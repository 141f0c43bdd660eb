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

    /// A token with less than this left counts as expired, as in Microsoft's SDKs.
    static let minimumValidity: TimeInterval = 300

    private var owner: CacheOwner { CacheOwner(service.configuration) }

    /// Keeps the tokens of a finished sign-in. The account that was there before makes way, but only now that the new
    /// tokens have been checked.
    func begin(with tokens: Tokens, scopes: [String], correlationID: String) async throws(AuthError) -> Account {
        let issued = try await check(tokens, correlationID: correlationID)
        let cached = try await cache.change { (cache) throws(AuthError) in
            cache.removeEverything(of: owner)
            cache.keep(issued, for: owner, at: service.time.now())
            cache.noteSignIn(issued.homeAccountID, scopes: scopes, at: service.time.now())
            provider.remember(in: &cache)
            return cache.account(of: owner)
        }
        guard let cached, let account = Account(cached, session: self) else {
            throw AuthError(.untrustedIDToken(.malformed), correlationID: correlationID)
        }
        return account
    }

    func account() throws(AuthError) -> Account? {
        try cache.read().account(of: owner).flatMap { Account($0, session: self) }
    }

    func end() async throws(AuthError) {
        try await cache.change { (cache) throws(AuthError) in cache.removeEverything(of: owner) }
    }
}

// MARK: - Access tokens

extension Session {
    /// The access token of whoever is signed in.
    ///
    /// - Parameter id: The account that has to be signed in still; nil for any.
    func accessToken(of id: String?, scopes: [String], forceRefresh: Bool) async throws(AuthError) -> AccessToken {
        // The cache is read without the lock: a write replaces the whole file.
        let cached = try cache.read()
        if !forceRefresh, let token = usable(in: cached, try account(id, in: cached), scopes) {
            return AccessToken(token, wasRefreshed: false)
        }
        let token = try await cache.change { (cache) throws(AuthError) -> AccessToken? in
            let account = try account(id, in: cache)
            // Another process may have refreshed while this one waited.
            if !forceRefresh, let token = usable(in: cache, account, scopes) {
                return AccessToken(token, wasRefreshed: false)
            }
            return try await renewed(account, scopes, mayBeOld: !forceRefresh, &cache)
        }
        // The tokens that came are kept all the same: the refresh token may be a new one.
        guard let token else { throw AuthError(.invalidScope, message: "the tenant did not grant the scopes") }
        return token
    }

    /// A new token; nil if the tenant did not grant the scopes. A tenant that cannot be reached takes nothing from a token
    /// that has some time left.
    private func renewed(
        _ account: CachedAccount, _ scopes: [String], mayBeOld: Bool, _ cache: inout TokenCache
    ) async throws(AuthError) -> AccessToken? {
        let wanted = scopes.isEmpty ? account.scopes : scopes
        do throws(AuthError) {
            try await refresh(account, wanted, &cache)
        } catch {
            guard mayBeOld, error.leavesSessionOpen, let token = usable(in: cache, account, scopes, for: 1) else {
                throw error
            }
            return AccessToken(token, wasRefreshed: false)
        }
        return cache.accessToken(of: owner, account: account.homeAccountID, scopes: wanted)
            .map { AccessToken($0, wasRefreshed: true) }
    }

    private func account(_ id: String?, in cache: TokenCache) throws(AuthError) -> CachedAccount {
        guard let account = cache.account(of: owner), id == nil || account.homeAccountID == id else {
            throw AuthError(.signInRequired)
        }
        return account
    }

    private func usable(
        in cache: TokenCache, _ account: CachedAccount, _ scopes: [String],
        for seconds: TimeInterval = Session.minimumValidity
    ) -> CachedAccessToken? {
        let now = service.time.now()
        let wanted = scopes.isEmpty ? account.scopes : scopes
        guard let token = cache.accessToken(of: owner, account: account.homeAccountID, scopes: wanted),
            token.cachedAt <= now, token.expiresOn.timeIntervalSince(now) >= seconds
        else { return nil }
        return token
    }

    /// Exchanges the refresh token, and keeps what comes.
    private func refresh(
        _ account: CachedAccount, _ scopes: [String], _ cache: inout TokenCache
    ) async throws(AuthError) {
        guard let secret = cache.refreshToken(of: owner, account: account.homeAccountID) else {
            throw AuthError(.signInRequired, message: nil)
        }
        let correlationID = UUID().uuidString.lowercased()
        let call = SignIn.Token(
            clientId: service.configuration.clientID, grantType: .refreshToken,
            scope: Words(Scope.requested(scopes)), refreshToken: secret, clientInfo: "1")
        switch try await service.answer(call, correlationID: correlationID) {
        case .refusal(let refusal):
            throw AuthError(refusingRefresh: refusal)
        case .reply(let tokens):
            let issued = try await check(tokens, correlationID: correlationID)
            guard issued.homeAccountID == account.homeAccountID else {
                throw AuthError(.unexpectedAnswer("tokens of another account"), correlationID: correlationID)
            }
            cache.keep(issued, for: owner, at: service.time.now())
            provider.remember(in: &cache)
        }
    }

    /// Reads a token answer strictly, and checks its ID token.
    private func check(_ tokens: Tokens, correlationID: String) async throws(AuthError) -> IssuedTokens {
        guard tokens.tokenType?.lowercased() == "bearer", let access = tokens.accessToken,
            let id = tokens.idToken, let life = tokens.expiresIn, Self.lifetimes.contains(life)
        else { throw AuthError(.unexpectedAnswer("tokens are missing"), correlationID: correlationID) }
        let claims = try await provider.claims(of: id, correlationID: correlationID)
        let object = claims.string("oid") ?? ""
        let tenant = claims.string("tid") ?? ""
        let info =
            tokens.clientInfo.flatMap { Base64URL.decode($0) }
            .flatMap { try? WireJSON.decode(ClientInfo.self, from: $0) } ?? ClientInfo(uid: object, utid: tenant)
        let now = service.time.now()
        return IssuedTokens(
            homeAccountID: "\(info.uid).\(info.utid)".lowercased(), realm: info.utid, localAccountID: object,
            username: claims.string("preferred_username") ?? claims.string("sub") ?? "", name: claims.string("name"),
            idToken: id, accessToken: access,
            scopes: (tokens.scope ?? "").split(separator: " ").map(String.init),
            expiresOn: now.addingTimeInterval(TimeInterval(life)),
            extendedExpiresOn: now.addingTimeInterval(
                TimeInterval(tokens.extExpiresIn.map { max(life, min($0, Self.lifetimes.upperBound)) } ?? life)),
            refreshOn: tokens.refreshIn.map { now.addingTimeInterval(TimeInterval(min(max(0, $0), life))) },
            refreshToken: tokens.refreshToken)
    }
}

extension AuthError {
    /// Whether the session is what it was: the tenant was not reached, or had no time.
    fileprivate var leavesSessionOpen: Bool {
        switch reason {
        case .network, .serverUnavailable, .rateLimited: true
        default: false
        }
    }

    /// A refused refresh ends the session, unless the scope was at fault.
    fileprivate init(refusingRefresh refusal: Refusal) {
        self.init(refusal)
        if refusal.error == .invalidGrant || refusal.error.rawValue == "expired_refresh_token" {
            reason = .signInRequired
        }
    }
}
