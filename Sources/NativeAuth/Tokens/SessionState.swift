// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// What the token cache alone says about a session. Nothing is asked over the network, and no lock is waited for.
package struct SessionState: Sendable {
    /// How far the cache gets.
    package enum Standing: Sendable, Equatable {
        case signedOut
        /// The next call gives the cached token out.
        case valid
        /// The next call asks the tenant for a new token: the cached one has expired, or is about to.
        case refreshable(expired: Bool)
        /// The token has expired, or is about to, and there is no way to a new one.
        case ended
        /// The tenant refused a moment ago to go on.
        case refused(code: String?)
    }

    package let account: Account?
    /// When the access token ends that the sign-in's scopes lead to; nil without one.
    package let expiresAt: Date?
    package let standing: Standing
    /// What happened to the session, the newest last.
    package let events: [SessionEvent]
    /// How many seconds this machine's clock was ahead of the tenant's at the last sign-in or refresh; nil when that is not
    /// known, or too little to matter.
    package let clockAhead: Int?

    fileprivate init(_ cache: TokenCache, _ account: Account?, expiresAt: Date?, _ standing: Standing) {
        self.account = account
        self.expiresAt = expiresAt
        self.standing = standing
        events = cache.events
        clockAhead = cache.clockAhead
    }
}

extension NativeAuthClient {
    /// The state of the session.
    ///
    /// - Parameter id: Whose; nil for the active account.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/storage(_:)`` when the cache cannot be read.
    package func state(of id: String? = nil) throws(AuthError) -> SessionState {
        let cache = try session.cache.read()
        guard let cached = cache.account(of: session.owner, id: id), let account = Account(cached, session: session)
        else {
            return SessionState(cache, nil, expiresAt: nil, .signedOut)
        }
        let now = service.time.now()
        let token = cache.accessToken(
            of: session.owner, account: cached.homeAccountID, scopes: cached.scopes
        ) { $0.cachedAt <= now }
        return SessionState(
            cache, account, expiresAt: token?.expiresOn, session.standing(cached, token, in: cache, at: now))
    }
}

extension NativeAuthClient {
    /// Forgets everything of this app in the cache, also where no account can be made of it any more.
    package func forget() async throws(AuthError) {
        try await session.endAll()
    }
}

extension Session {
    fileprivate func standing(
        _ account: CachedAccount, _ token: CachedAccessToken?, in cache: TokenCache, at now: Date
    ) -> SessionState.Standing {
        let left = token.map { $0.expiresOn.timeIntervalSince(now) } ?? 0
        let isDue = token?.refreshOn.map { now >= $0 } ?? false
        if left >= Self.minimumValidity, !isDue { return .valid }
        guard let secret = cache.refreshToken(of: owner, account: account.homeAccountID) else { return .ended }
        let request = SilentRequest(
            authority: service.configuration.authority, account: account.homeAccountID, scopes: account.scopes,
            claims: nil, refreshToken: secret)
        if let failure = cache.failure(of: request, at: now), failure.endsSession {
            return .refused(code: failure.error)
        }
        return .refreshable(expired: left < 1)
    }
}
