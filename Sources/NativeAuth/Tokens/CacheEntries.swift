// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Whose entries are meant: one app at one tenant.
struct CacheOwner: Sendable, Equatable {
    let environment: String
    let clientID: String
    /// Nil where the host says enough.
    var authority: Authority?

    init(environment: String, clientID: String) {
        self.environment = environment
        self.clientID = clientID
    }

    init(_ configuration: Configuration) {
        environment = configuration.authority.host
        clientID = configuration.clientID
        authority = configuration.authority
    }

    func owns(_ entry: [String: JSONValue]) -> Bool {
        entry["environment"]?.string?.lowercased() == environment && entry["client_id"]?.string == clientID
    }
}

/// What a sign-in or a refresh leaves in the cache.
struct IssuedTokens: Sendable {
    var homeAccountID: String
    var realm: String
    var localAccountID: String
    var username: String
    var name: String?
    var idToken: String
    var accessToken: String
    var scopes: [String]
    var expiresOn: Date
    var extendedExpiresOn: Date
    var refreshOn: Date?
    var refreshToken: String?
}

/// An access token as it is kept.
struct CachedAccessToken: Sendable, Equatable {
    var secret: String
    var homeAccountID: String
    var scopes: [String]
    var cachedAt: Date
    var expiresOn: Date
    var refreshOn: Date?

    fileprivate init?(_ entry: [String: JSONValue]) {
        guard let secret = entry["secret"]?.string, let account = entry["home_account_id"]?.string,
            let expires = entry["expires_on"]?.seconds
        else { return nil }
        self.secret = secret
        homeAccountID = account
        scopes = (entry["target"]?.string ?? "").split(separator: " ").map(String.init)
        cachedAt = entry["cached_at"]?.seconds ?? .distantPast
        expiresOn = expires
        refreshOn = entry["refresh_on"]?.seconds
    }
}

/// An account as it is kept, with the ID token that describes it.
struct CachedAccount: Sendable, Equatable {
    var homeAccountID: String
    var realm: String
    var username: String
    var idToken: String
    /// The app's scopes at sign-in: what a token is for when nothing else is asked.
    var scopes: [String]
    var signedInAt: Date?
}

// MARK: - Looking up

extension TokenCache {
    /// Whether an entry is this app's, at this tenant.
    ///
    /// The family's schema knows a host and no more. Of an account that signed in here, the whole authority is kept: a refresh
    /// token must not go to another port or another tenant of the same host.
    func isOwned(_ entry: [String: JSONValue], by owner: CacheOwner) -> Bool {
        guard owner.owns(entry) else { return false }
        guard let authority = owner.authority, let id = entry["home_account_id"]?.string,
            let kept = own["sessions"]?[id]?["authority"]?.string, kept != authority.description
        else { return true }
        // Another provider's, then; or of a tenant that can be reached by several addresses.
        guard authority.issuer == nil, let other = try? Authority(kept) else { return false }
        return authority.isOfSameTenant(as: other)
    }

    /// The access token that covers `scopes` and is good enough. Scopes compare without case; the standard ones say
    /// nothing about the resource and are left aside.
    func accessToken(
        of owner: CacheOwner, account: String, scopes: [String],
        where isGood: (CachedAccessToken) -> Bool = { _ in true }
    ) -> CachedAccessToken? {
        let wanted = ResourceScopes(scopes)
        let fitting = entries(.accessToken).filter { isOwned($0, by: owner) }.compactMap { CachedAccessToken($0) }
            .filter { $0.homeAccountID == account && wanted.isCovered(by: $0.scopes) && isGood($0) }
        // Where no resource is wanted, any token will do, for the service may grant one unasked; but one without a
        // resource is the better answer.
        let plain = wanted.names.isEmpty ? fitting.filter { ResourceScopes($0.scopes).names.isEmpty } : []
        return (plain.isEmpty ? fitting : plain).max { $0.cachedAt < $1.cachedAt }
    }

    /// - Parameter account: Whose; nil for everybody's.
    func refreshTokens(of owner: CacheOwner, account: String? = nil) -> [String] {
        entries(.refreshToken).filter { entry in
            isOwned(entry, by: owner) && (account == nil || entry["home_account_id"]?.string == account)
        }.compactMap { $0["secret"]?.string }
    }

    /// The newest one: another program may have added its own beside ours.
    func refreshToken(of owner: CacheOwner, account: String) -> String? {
        entries(.refreshToken).filter { isOwned($0, by: owner) && $0["home_account_id"]?.string == account }
            .max { $0.lastModified < $1.lastModified }?["secret"]?.string
    }
}

/// The scopes of a token that name a resource.
struct ResourceScopes {
    let names: Set<String>

    init(_ scopes: [String]) {
        let standard: Set<String> = ["openid", "profile", "offline_access", "email"]
        names = Set(scopes.map { $0.lowercased() }).subtracting(standard)
    }

    func isCovered(by granted: [String]) -> Bool {
        names.isSubset(of: ResourceScopes(granted).names)
    }

    func overlap(_ other: ResourceScopes) -> Bool {
        names.isEmpty ? other.names.isEmpty : !names.isDisjoint(with: other.names)
    }
}

extension [String: JSONValue] {
    var lastModified: Date { self["last_modification_time"]?.seconds ?? .distantPast }
}

extension Authority {
    /// Whether two addresses lead to one tenant. In Entra's cloud the host says which; elsewhere the path does.
    fileprivate func isOfSameTenant(as other: Authority) -> Bool {
        guard url.scheme == other.url.scheme, host == other.host, url.port == other.url.port else { return false }
        return host.hasSuffix(".ciamlogin.com") || url.path.lowercased() == other.url.path.lowercased()
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }

    /// The schema writes times as decimal text.
    static func seconds(_ date: Date) -> JSONValue { .string(String(Int(date.timeIntervalSince1970))) }

    /// Other writers use numbers here and there.
    var seconds: Date? {
        guard let time = string.flatMap({ TimeInterval($0) }) ?? integer.map({ TimeInterval($0) }),
            abs(time) < Self.farthest
        else { return nil }
        return Date(timeIntervalSince1970: time)
    }

    /// Some three thousand years from 1970: what is farther away, or no number at all, is no time.
    private static let farthest: TimeInterval = 1e11
}
