// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

// What a sign-in, a refresh and a sign-out change in the cache.

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
        if let secret = tokens.refreshToken { keep(secret, target, base, tokens, owner, at: now) }
        keepAccount(tokens, owner)
    }

    /// Keeps a refresh token in the place of all that the account had; what others noted beside the newest one stays.
    private mutating func keep(
        _ secret: String, _ target: String, _ base: [String: JSONValue], _ tokens: IssuedTokens, _ owner: CacheOwner,
        at now: Date
    ) {
        let isReplaced = { (entry: [String: JSONValue]) in
            owner.owns(entry) && entry["home_account_id"]?.string == tokens.homeAccountID
        }
        let former = entries(.refreshToken).filter(isReplaced).max { $0.lastModified < $1.lastModified } ?? [:]
        remove(from: .refreshToken, where: isReplaced)
        var refresh = former.merging(base) { $1 }.merging([
            "credential_type": "RefreshToken", "secret": .string(secret), "target": .string(target),
            "last_modification_time": .seconds(now),
        ]) { $1 }
        refresh["realm"] = nil
        // The key has the entry's own target, so that others of the family find the entry by it and replace the secret.
        put(refresh, key: key(tokens, owner, "refreshtoken", target, realm: ""), in: .refreshToken)
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

    /// Remembers when the account signed in, and for what; it is the active one now.
    mutating func noteSignIn(_ account: String, of owner: CacheOwner, scopes: [String], at now: Date) {
        var sessions = own["sessions"]?.object ?? [:]
        var session: [String: JSONValue] = [
            "scopes": .string(scopes.joined(separator: " ")), "signed_in_at": .seconds(now),
        ]
        session["authority"] = owner.authority.map { .string($0.description) }
        sessions[account] = .object(session)
        own["sessions"] = .object(sessions)
        activate(account, of: owner)
    }

    /// Forgets every token of this app and the accounts that no other app's tokens belong to.
    ///
    /// - Parameter account: Whose tokens; nil for everybody's.
    mutating func removeEverything(of owner: CacheOwner, account: String? = nil) {
        let before = self
        let goes = { (entry: [String: JSONValue]) in
            before.isOwned(entry, by: owner) && (account == nil || entry["home_account_id"]?.string == account)
        }
        let ids = Set(
            (entries(.idToken) + entries(.refreshToken) + entries(.accessToken))
                .filter(goes).compactMap { $0["home_account_id"]?.string })
        for section in [Section.accessToken, .idToken, .refreshToken] { remove(from: section, where: goes) }
        let others = Set((entries(.idToken) + entries(.refreshToken)).compactMap { $0["home_account_id"]?.string })
        let gone = ids.subtracting(others)
        remove(from: .account) { entry in entry["home_account_id"]?.string.map(gone.contains) ?? false }
        var sessions = own["sessions"]?.object ?? [:]
        gone.forEach { sessions[$0] = nil }
        own["sessions"] = .object(sessions)
        forgetActiveIfGone(of: owner)
        forgetFailures()
        stamp()
    }

    /// Forgets the refresh token, which the tenant will never take again.
    mutating func removeRefreshToken(of owner: CacheOwner, account: String) {
        let before = self
        remove(from: .refreshToken) {
            before.isOwned($0, by: owner) && $0["home_account_id"]?.string == account
        }
    }

    mutating func stamp() {
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
