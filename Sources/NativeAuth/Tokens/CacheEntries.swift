// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// Whose entries are meant: one app at one tenant's host.
struct CacheOwner: Sendable, Equatable {
    let environment: String
    let clientID: String

    init(_ configuration: Configuration) {
        environment = configuration.authority.host
        clientID = configuration.clientID
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
    /// The account of this app, if its ID token is there too.
    func account(of owner: CacheOwner) -> CachedAccount? {
        for entry in entries(.idToken) where owner.owns(entry) {
            guard let id = entry["home_account_id"]?.string, let token = entry["secret"]?.string else { continue }
            let account = entries(.account).first { $0["home_account_id"]?.string == id }
            let session = own["sessions"]?[id]
            return CachedAccount(
                homeAccountID: id, realm: entry["realm"]?.string ?? "",
                username: account?["username"]?.string ?? "", idToken: token,
                scopes: (session?["scopes"]?.string ?? "").split(separator: " ").map(String.init),
                signedInAt: session?["signed_in_at"]?.seconds)
        }
        return nil
    }

    /// The access token that covers `scopes` and is good enough. Scopes compare without case; the standard ones say
    /// nothing about the resource and are left aside.
    func accessToken(
        of owner: CacheOwner, account: String, scopes: [String],
        where isGood: (CachedAccessToken) -> Bool = { _ in true }
    ) -> CachedAccessToken? {
        let wanted = ResourceScopes(scopes)
        let fitting = entries(.accessToken).filter { owner.owns($0) }.compactMap { CachedAccessToken($0) }
            .filter { $0.homeAccountID == account && wanted.isCovered(by: $0.scopes) && isGood($0) }
        // Where no resource is wanted, any token will do, for the service may grant one unasked; but one without a
        // resource is the better answer.
        let plain = wanted.names.isEmpty ? fitting.filter { ResourceScopes($0.scopes).names.isEmpty } : []
        return (plain.isEmpty ? fitting : plain).max { $0.cachedAt < $1.cachedAt }
    }

    func refreshToken(of owner: CacheOwner, account: String) -> String? {
        entries(.refreshToken).first { owner.owns($0) && $0["home_account_id"]?.string == account }?["secret"]?.string
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

    fileprivate func overlap(_ other: ResourceScopes) -> Bool {
        names.isEmpty ? other.names.isEmpty : !names.isDisjoint(with: other.names)
    }
}

// MARK: - Changing

extension TokenCache {
    /// Keeps what a token answer holds. A token for overlapping scopes of the same account makes way.
    mutating func keep(_ tokens: IssuedTokens, for owner: CacheOwner, at now: Date) {
        let base = entryBase(tokens, owner)
        let target = tokens.scopes.sorted().joined(separator: " ")
        remove(from: .accessToken) { entry in
            owner.owns(entry) && entry["home_account_id"]?.string == tokens.homeAccountID
                && ResourceScopes(entry["target"]?.string?.split(separator: " ").map(String.init) ?? [])
                    .overlap(ResourceScopes(tokens.scopes))
        }
        var access = base.merging([
            "credential_type": "AccessToken", "secret": .string(tokens.accessToken), "target": .string(target),
            "token_type": "Bearer", "cached_at": .seconds(now), "expires_on": .seconds(tokens.expiresOn),
            "extended_expires_on": .seconds(tokens.extendedExpiresOn),
        ]) { $1 }
        access["refresh_on"] = tokens.refreshOn.map { .seconds($0) }
        put(access, key: key(tokens, owner, "accesstoken", target), in: .accessToken)
        let id = base.merging(["credential_type": "IdToken", "secret": .string(tokens.idToken)]) { $1 }
        put(id, key: key(tokens, owner, "idtoken", ""), in: .idToken)
        if let secret = tokens.refreshToken {
            var refresh = base.merging([
                "credential_type": "RefreshToken", "secret": .string(secret), "target": .string(target),
                "last_modification_time": .seconds(now),
            ]) { $1 }
            refresh["realm"] = nil
            put(refresh, key: key(tokens, owner, "refreshtoken", "", realm: ""), in: .refreshToken)
        }
        keepAccount(tokens, owner)
    }

    private mutating func keepAccount(_ tokens: IssuedTokens, _ owner: CacheOwner) {
        var account: [String: JSONValue] = [
            "home_account_id": .string(tokens.homeAccountID), "environment": .string(owner.environment),
            "realm": .string(tokens.realm), "local_account_id": .string(tokens.localAccountID),
            "username": .string(tokens.username), "authority_type": "MSSTS",
        ]
        account["name"] = tokens.name.map { .string($0) }
        put(account, key: "\(tokens.homeAccountID)-\(owner.environment)-\(tokens.realm)".lowercased(), in: .account)
        put(
            ["client_id": .string(owner.clientID), "environment": .string(owner.environment)],
            key: "appmetadata-\(owner.environment)-\(owner.clientID)", in: .appMetadata)
    }

    /// Remembers when the account signed in, and for what.
    mutating func noteSignIn(_ account: String, scopes: [String], at now: Date) {
        var sessions = own["sessions"]?.object ?? [:]
        sessions[account] = .object([
            "scopes": .string(scopes.joined(separator: " ")), "signed_in_at": .seconds(now),
        ])
        own["sessions"] = .object(sessions)
        stamp()
    }

    /// Forgets every token of this app and the accounts that no other app's tokens belong to.
    mutating func removeEverything(of owner: CacheOwner) {
        let ids = Set(
            (entries(.idToken) + entries(.refreshToken) + entries(.accessToken))
                .filter(owner.owns).compactMap { $0["home_account_id"]?.string })
        for section in [Section.accessToken, .idToken, .refreshToken] { remove(from: section, where: owner.owns) }
        let others = Set((entries(.idToken) + entries(.refreshToken)).compactMap { $0["home_account_id"]?.string })
        let gone = ids.subtracting(others)
        remove(from: .account) { entry in entry["home_account_id"]?.string.map(gone.contains) ?? false }
        var sessions = own["sessions"]?.object ?? [:]
        gone.forEach { sessions[$0] = nil }
        own["sessions"] = .object(sessions)
        forgetFailures()
        stamp()
    }

    /// Forgets the refresh token, which the tenant will never take again.
    mutating func removeRefreshToken(of owner: CacheOwner, account: String) {
        remove(from: .refreshToken) { owner.owns($0) && $0["home_account_id"]?.string == account }
    }

    private mutating func stamp() {
        own["schema"] = .integer(Int64(Self.schema))
        own["generation"] = .integer((own["generation"]?.integer ?? 0) &+ 1)
    }

    private func entryBase(_ tokens: IssuedTokens, _ owner: CacheOwner) -> [String: JSONValue] {
        [
            "home_account_id": .string(tokens.homeAccountID), "environment": .string(owner.environment),
            "client_id": .string(owner.clientID), "realm": .string(tokens.realm),
        ]
    }

    private func key(
        _ tokens: IssuedTokens, _ owner: CacheOwner, _ kind: String, _ target: String, realm: String? = nil
    ) -> String {
        [tokens.homeAccountID, owner.environment, kind, owner.clientID, realm ?? tokens.realm, target]
            .joined(separator: "-").lowercased()
    }
}

extension JSONValue: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }

    /// The schema writes times as decimal text.
    static func seconds(_ date: Date) -> JSONValue { .string(String(Int(date.timeIntervalSince1970))) }

    /// Other writers use numbers here and there.
    var seconds: Date? {
        (string.flatMap { TimeInterval($0) } ?? integer.map { TimeInterval($0) }).map(Date.init(timeIntervalSince1970:))
    }
}
