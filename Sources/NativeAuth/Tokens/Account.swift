// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Wire

/// A person who is signed in.
public struct Account: Sendable {
    /// The name the person signs in with.
    public let username: String
    /// What the tenant says about the person: the claims of the ID token, which was checked when it arrived.
    public let claims: Claims
    /// The ID token as it was issued; it may have expired since.
    public let idToken: String
    /// The account's id across apps: `{object id}.{tenant id}`. At a provider that is no tenant, digests of the subject and of
    /// the issuer.
    public let homeAccountID: String
    /// The app's scopes at sign-in.
    public let scopes: [String]
    /// When the person signed in; nil for an account that another program put into the cache.
    public let signedInAt: Date?
    let session: Session

    init?(_ cached: CachedAccount, session: Session) {
        guard let token = JWT(cached.idToken) else { return nil }
        claims = Claims(token)
        username = claims.string("preferred_username") ?? cached.username
        idToken = cached.idToken
        homeAccountID = cached.homeAccountID
        scopes = cached.scopes
        signedInAt = cached.signedInAt
        self.session = session
    }

    /// Makes this the account that is meant where nobody is named, as in ``NativeAuthClient/account()``.
    ///
    /// - Throws: ``AuthError`` with ``AuthError/Reason/signInRequired`` if it has been signed out meanwhile, and others.
    public func makeActive() async throws(AuthError) {
        try await session.activate(homeAccountID)
    }

    /// An access token: from the cache while it is valid for long enough, else by one refresh.
    ///
    /// - Parameters:
    ///   - scopes: The app's scopes that the token has to cover; empty for those of the sign-in.
    ///   - claims: The claims that the token is to hold. The tenant is always asked for them.
    ///   - forceRefresh: Asks the tenant even if the cached token would do.
    ///   - minimumValidity: How long a cached token has to be good for still; five minutes, as in Microsoft's SDKs. A new
    ///     token is given out whatever its life.
    ///   - correlationID: The id of the request in the tenant's log; a new one by default.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/signInRequired`` when the session has ended, and others.
    public func accessToken(
        scopes: [String] = [], claims: ClaimsRequest? = nil, forceRefresh: Bool = false,
        minimumValidity: Duration = .seconds(300), correlationID: UUID? = nil
    ) async throws(AuthError) -> AccessToken {
        let wish = TokenWish(
            scopes, claims, forceRefresh: forceRefresh, validity: minimumValidity / .seconds(1), correlationID)
        return try await session.accessToken(of: homeAccountID, wish)
    }

    /// An access token in the place of one that a resource has rejected. The tenant is asked only if the cache still has
    /// that one: another process may have been told the same, and have refreshed it.
    package func accessToken(
        scopes: [String], insteadOf rejected: String, minimumValidity: Duration
    ) async throws(AuthError) -> AccessToken {
        let wish = TokenWish(
            scopes, nil, forceRefresh: false, validity: minimumValidity / .seconds(1), nil, rejected: rejected)
        return try await session.accessToken(of: homeAccountID, wish)
    }

    /// The refresh token, for an app that hands the session on; nil where the tenant gave none.
    package func refreshToken() throws(AuthError) -> String? {
        try session.cache.read().refreshToken(of: session.owner, account: homeAccountID)
    }

    /// Forgets the account and its tokens on this machine. Native authentication has no sign-out at the service.
    ///
    /// Somebody else who has signed in since stays signed in.
    ///
    /// - Throws: ``AuthError`` with ``AuthError/Reason/storage(_:)``; the tokens may still be there then.
    public func signOut() async throws(AuthError) {
        try await session.end(of: homeAccountID)
    }
}

/// A token for a resource.
public struct AccessToken: Sendable, Equatable {
    /// The token itself; send it as `Authorization: Bearer …`.
    public let value: String
    /// What it allows.
    public let scopes: [String]
    /// When it ends, by this machine's clock.
    public let expiresAt: Date
    /// True if the tenant was asked for it just now.
    public let wasRefreshed: Bool

    init(_ cached: CachedAccessToken) {
        value = cached.secret
        scopes = cached.scopes
        expiresAt = cached.expiresOn
        wasRefreshed = false
    }

    init(_ issued: IssuedTokens) {
        value = issued.accessToken
        scopes = issued.scopes
        expiresAt = issued.expiresOn
        wasRefreshed = true
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible {
    /// What the token is for, without the token: it may stand in a log.
    public var description: String { "a token for \(scopes.joined(separator: " ")) until \(expiresAt)" }
    /// The same.
    public var debugDescription: String { description }
}
