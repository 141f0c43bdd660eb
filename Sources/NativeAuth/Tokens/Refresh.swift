// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

extension Session {
    /// Exchanges the refresh token, and keeps what comes: tokens, or the refusal.
    ///
    /// - Parameters:
    ///   - keep: Saves the cache at once: the journal has to be there before the request is sent.
    ///   - mayRepeat: Whether to go on with a refresh token that another program wrote meanwhile.
    func refreshed(
        _ account: CachedAccount, _ wish: TokenWish, _ cache: inout TokenCache,
        _ keep: (TokenCache) throws(AuthError) -> Void, mayRepeat: Bool = true
    ) async throws(AuthError) -> AccessToken {
        let request = try silentRequest(account, wish, cache)
        if !wish.forceRefresh, let failure = cache.failure(of: request, at: service.time.now()) { throw failure }
        let cutOff = cache.refreshCutOff(of: request)
        cache.noteRefreshBegun(request, at: service.time.now())
        try keep(cache)
        let correlation = Correlation(wish.correlationID)
        let outcome: Result<IssuedTokens, AuthError>
        do throws(AuthError) {
            outcome = .success(try await exchange(request, account, correlation))
        } catch {
            outcome = .failure(error)
        }
        let found = catchUp(&cache, after: request)
        switch outcome {
        case .success(let issued):
            keepRefreshed(issued, account, found, correlation, in: &cache)
            guard !ResourceScopes(request.scopes).isCovered(by: issued.scopes) else { return AccessToken(issued) }
            let error = AuthError(.scopesDeclined(granted: issued.scopes), endpoint: SignIn.Token.path)
            cache.note(error, of: request.renewed(with: issued.refreshToken), at: service.time.now())
            throw error
        case .failure(var error):
            if error.endsSession, found == .another {
                cache.noteRefreshEnded()
                if let token = valid(in: cache, account, wish) { return AccessToken(token) }
                if mayRepeat { return try await refreshed(account, wish, &cache, keep, mayRepeat: false) }
            }
            if error.endsSession { error.refreshCutOffAt = cutOff }
            settle(error, of: request, account, in: &cache)
            throw error
        }
    }

    private func silentRequest(
        _ account: CachedAccount, _ wish: TokenWish, _ cache: TokenCache
    ) throws(AuthError) -> SilentRequest {
        guard let secret = cache.refreshToken(of: owner, account: account.homeAccountID) else {
            throw AuthError(.signInRequired)
        }
        return SilentRequest(
            authority: service.configuration.authority, account: account.homeAccountID,
            scopes: wish.scopes.isEmpty ? account.scopes : wish.scopes, claims: wish.claims?.field, refreshToken: secret
        )
    }

    /// What there is of the session after a request.
    private enum Found { case same, another, nothing }

    /// Programs that share the cache need not know the lock. What one of them wrote during the request is the cache now, and
    /// nothing of it is written over.
    private func catchUp(_ cache: inout TokenCache, after request: SilentRequest) -> Found {
        guard let current = try? self.cache.read() else { return .same }
        cache = current
        guard let secret = cache.refreshToken(of: owner, account: request.account) else { return .nothing }
        return secret == request.refreshToken ? .same : .another
    }

    private func keepRefreshed(
        _ issued: IssuedTokens, _ account: CachedAccount, _ found: Found, _ correlation: Correlation,
        in cache: inout TokenCache
    ) {
        cache.noteRefreshEnded()
        // Somebody who was signed out meanwhile stays so.
        if found == .nothing { return }
        var issued = issued
        if found == .another { issued.refreshToken = nil }
        cache.keep(issued, for: owner, at: service.time.now())
        cache.forgetFailures()
        cache.record(.refreshed, account, correlationID: correlation.id, at: service.time.now())
        cache.note(service.clock)
        provider.remember(in: &cache)
    }

    private func exchange(
        _ request: SilentRequest, _ account: CachedAccount, _ correlation: Correlation
    ) async throws(AuthError) -> IssuedTokens {
        let place = try await provider.tokenEndpoint(correlationID: correlation.id)
        let scopes = Scope.requested(request.scopes)
        let call = SignIn.Token(
            clientId: service.configuration.clientID, grantType: .refreshToken, scope: Words(scopes),
            refreshToken: request.refreshToken, clientInfo: "1", claims: request.claims)
        switch try await service.answer(call, correlation, at: place) {
        case .refusal(let refusal):
            throw AuthError(refusingRefresh: refusal)
        case .reply(let tokens):
            // Providers need not send another ID token (OpenID Connect Core 1.0, section 12.2); tenants do.
            if tokens.idToken == nil, place != nil { return try read(tokens, scopes, of: account, correlation.id) }
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
