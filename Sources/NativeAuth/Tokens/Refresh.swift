// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

extension Session {
    /// Exchanges the refresh token, and keeps what comes: tokens, or the refusal.
    ///
    /// - Parameter keep: Saves the cache at once: the journal has to be there before the request is sent.
    func refreshed(
        _ account: CachedAccount, _ wish: TokenWish, _ cache: inout TokenCache,
        _ keep: (TokenCache) throws(AuthError) -> Void
    ) async throws(AuthError) -> AccessToken {
        guard let secret = cache.refreshToken(of: owner, account: account.homeAccountID) else {
            throw AuthError(.signInRequired)
        }
        let scopes = wish.scopes.isEmpty ? account.scopes : wish.scopes
        let request = SilentRequest(
            account: account.homeAccountID, scopes: scopes, claims: wish.claims?.field, refreshToken: secret)
        if !wish.forceRefresh, let failure = cache.failure(of: request, at: service.time.now()) { throw failure }
        let cutOff = cache.refreshCutOff(of: request)
        cache.noteRefreshBegun(request, at: service.time.now())
        try keep(cache)
        let correlation = Correlation(wish.correlationID)
        let issued: IssuedTokens
        do throws(AuthError) {
            issued = try await exchange(request, correlation)
        } catch {
            var error = error
            if error.endsSession {
                error.refreshCutOffAt = cutOff
                if let token = adopted(insteadOf: request, account, wish, &cache) { return AccessToken(token) }
            }
            settle(error, of: request, account, in: &cache)
            throw error
        }
        keepRefreshed(issued, account, correlation, in: &cache)
        guard !ResourceScopes(scopes).isCovered(by: issued.scopes) else { return AccessToken(issued) }
        let error = AuthError(.scopesDeclined(granted: issued.scopes), endpoint: SignIn.Token.path)
        cache.note(error, of: request.renewed(with: issued.refreshToken), at: service.time.now())
        throw error
    }

    /// Programs that share the cache need not know the lock. Where one of them has refreshed meanwhile, the refusal is about a
    /// token that it has spent, and what it wrote is taken; nothing of it is written over.
    private func adopted(
        insteadOf request: SilentRequest, _ account: CachedAccount, _ wish: TokenWish, _ cache: inout TokenCache
    ) -> CachedAccessToken? {
        guard var theirs = try? self.cache.read(),
            let secret = theirs.refreshToken(of: owner, account: request.account), secret != request.refreshToken,
            let token = valid(in: theirs, account, wish)
        else { return nil }
        theirs.noteRefreshEnded()
        cache = theirs
        return token
    }

    private func keepRefreshed(
        _ issued: IssuedTokens, _ account: CachedAccount, _ correlation: Correlation, in cache: inout TokenCache
    ) {
        cache.keep(issued, for: owner, at: service.time.now())
        cache.forgetFailures()
        cache.noteRefreshEnded()
        cache.record(.refreshed, account, correlationID: correlation.id, at: service.time.now())
        cache.note(service.clock)
        provider.remember(in: &cache)
    }

    private func exchange(_ request: SilentRequest, _ correlation: Correlation) async throws(AuthError) -> IssuedTokens
    {
        let scopes = Scope.requested(request.scopes)
        let call = SignIn.Token(
            clientId: service.configuration.clientID, grantType: .refreshToken, scope: Words(scopes),
            refreshToken: request.refreshToken, clientInfo: "1", claims: request.claims)
        switch try await service.answer(call, correlation) {
        case .refusal(let refusal):
            throw AuthError(refusingRefresh: refusal)
        case .reply(let tokens):
            let issued = try await check(tokens, scopes: scopes, correlationID: correlation.id)
            guard issued.homeAccountID == request.account else {
                throw AuthError(.unexpectedAnswer(.otherAccount), correlationID: correlation.id)
            }
            return issued
        }
    }

    /// Draws the consequences of a refusal: most leave everything as it is, for the tenant may think better of it.
    private func settle(
        _ error: AuthError, of request: SilentRequest, _ account: CachedAccount, in cache: inout TokenCache
    ) {
        let now = service.time.now()
        // Where the answer may have been lost on its way, the journal stays: it explains the refusal that may follow.
        if error.mayHaveArrived {
            cache.record(.refreshCutOff, account, error, at: now)
        } else {
            cache.noteRefreshEnded()
        }
        if error.endsSession { cache.record(.refused, account, error, at: now) }
        switch (error.error, error.suberror) {
        case ("invalid_grant", "user_account_deleted"): cache.removeEverything(of: owner, account: request.account)
        case ("invalid_grant", "bad_token"): cache.removeRefreshToken(of: owner, account: request.account)
        default: cache.note(error, of: request, at: now)
        }
    }
}

extension AuthError {
    /// Whether only a sign-in helps.
    var endsSession: Bool { reason == .signInRequired || reason == .multiFactorRequired }

    /// A refused refresh ends the session, unless something else is told to be at fault.
    init(refusingRefresh refusal: Refusal) {
        self.init(refusal)
        if refusal.errorCodes?.contains(50076) == true {
            reason = .multiFactorRequired
            return
        }
        switch reason {
        case .passwordChangeRequired, .accountDisabled, .accountLocked, .consentRequired: return
        default:
            if refusal.error == .invalidGrant || refusal.error.rawValue == "expired_refresh_token" {
                reason = .signInRequired
            }
        }
    }
}
