// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What is wanted of a session.
struct TokenWish: Sendable {
    /// The app's scopes; empty for those of the sign-in.
    let scopes: [String]
    let claims: ClaimsRequest?
    let forceRefresh: Bool
    /// How long the token has to be good for, in seconds.
    let validity: TimeInterval
    /// The app's own id for the request that may be needed.
    let correlationID: UUID?
    /// A token that a resource has rejected, and that no cached one may be.
    let rejected: String?

    init(
        _ scopes: [String], _ claims: ClaimsRequest?, forceRefresh: Bool,
        validity: TimeInterval = Session.minimumValidity, _ correlationID: UUID?, rejected: String? = nil
    ) {
        self.rejected = rejected
        self.validity = validity
        self.correlationID = correlationID
        self.scopes = scopes
        self.claims = claims.flatMap { $0.isEmpty ? nil : $0 }
        self.forceRefresh = forceRefresh
    }

    /// Whether what is left of a token will do where there is no new one. Who asked for more than is usual meant it.
    func isContent(with token: CachedAccessToken, at now: Date) -> Bool {
        validity <= Session.minimumValidity || token.expiresOn.timeIntervalSince(now) >= validity
    }

    /// A cached token says nothing about claims that were not asked for then.
    var mayBeCached: Bool { !forceRefresh && claims == nil }
}

extension Session {
    /// A token with less than this left counts as expired, as in Microsoft's SDKs.
    static let minimumValidity: TimeInterval = 300

    /// The access token of whoever is signed in.
    ///
    /// - Parameter id: The account that has to be signed in still; nil for the active one.
    func accessToken(of id: String?, _ wish: TokenWish) async throws(AuthError) -> AccessToken {
        // The cache is read without the lock: a write replaces the whole file.
        let cached = try cache.read()
        if let token = fresh(in: cached, try account(id, in: cached), wish) { return AccessToken(token) }
        // The outcome is a value, for what a failure leaves in the cache has to be kept too.
        let outcome = try await cache.changeInSteps {
            (cache, keep) throws(AuthError) -> Result<AccessToken, AuthError> in
            let account = try account(id, in: cache)
            // Another process may have refreshed while this one waited.
            if let token = fresh(in: cache, account, wish) { return .success(AccessToken(token)) }
            return await renewed(account, wish, &cache, keep)
        }
        return try outcome.get()
    }

    /// A new token. A tenant that cannot be reached, or is not to be asked again yet, takes nothing from a token that has
    /// some time left.
    private func renewed(
        _ account: CachedAccount, _ wish: TokenWish, _ cache: inout TokenCache,
        _ keep: (TokenCache) throws(AuthError) -> Void
    ) async -> Result<AccessToken, AuthError> {
        do throws(AuthError) {
            return .success(try await refreshed(account, wish, &cache, keep))
        } catch {
            let isNoVerdict = error.isPassing && error.reason != .cancelled
            guard isNoVerdict, wish.mayBeCached, let token = valid(in: cache, account, wish),
                wish.isContent(with: token, at: service.time.now())
            else { return .failure(error) }
            return .success(AccessToken(token))
        }
    }

    private func account(_ id: String?, in cache: TokenCache) throws(AuthError) -> CachedAccount {
        guard let account = cache.account(of: owner, id: id) else {
            throw AuthError(.signInRequired)
        }
        return account
    }

    /// A cached token that is good for a while, and that the tenant does not want to see renewed yet.
    private func fresh(in cache: TokenCache, _ account: CachedAccount, _ wish: TokenWish) -> CachedAccessToken? {
        guard wish.mayBeCached else { return nil }
        let now = service.time.now()
        return token(in: cache, account, wish) { token in
            token.expiresOn.timeIntervalSince(now) >= wish.validity && token.refreshOn.map { now < $0 } ?? true
        }
    }

    /// A cached token that has not expired.
    func valid(in cache: TokenCache, _ account: CachedAccount, _ wish: TokenWish) -> CachedAccessToken? {
        let now = service.time.now()
        return token(in: cache, account, wish) { $0.expiresOn.timeIntervalSince(now) >= 1 }
    }

    private func token(
        in cache: TokenCache, _ account: CachedAccount, _ wish: TokenWish, where isGood: (CachedAccessToken) -> Bool
    ) -> CachedAccessToken? {
        let now = service.time.now()
        return cache.accessToken(
            of: owner, account: account.homeAccountID, scopes: wish.scopes.isEmpty ? account.scopes : wish.scopes
        ) { $0.cachedAt <= now && $0.secret != wish.rejected && isGood($0) }
    }
}
