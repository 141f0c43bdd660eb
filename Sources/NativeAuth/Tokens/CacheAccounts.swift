// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

// Whose tokens are in the cache, and who is meant where nobody is named: `active` in our own part.

extension TokenCache {
    /// The accounts of this app that have an ID token too: the active one first, then by name.
    func accounts(of owner: CacheOwner) -> [CachedAccount] {
        var found: [String: CachedAccount] = [:]
        for entry in entries(.idToken) where isOwned(entry, by: owner) {
            guard let account = account(entry), found[account.homeAccountID] == nil else { continue }
            found[account.homeAccountID] = account
        }
        let active = own["active"]?[owner.key]?.string
        return found.values.sorted { one, other in
            if (one.homeAccountID == active) != (other.homeAccountID == active) { return one.homeAccountID == active }
            return (one.username, one.homeAccountID) < (other.username, other.homeAccountID)
        }
    }

    /// - Parameter id: Which account; nil for the active one.
    func account(of owner: CacheOwner, id: String? = nil) -> CachedAccount? {
        accounts(of: owner).first { id == nil || $0.homeAccountID == id }
    }

    /// Makes this the account that is meant where nobody is named.
    mutating func activate(_ account: String, of owner: CacheOwner) {
        setActive(account, of: owner)
        stamp()
    }

    /// Somebody who is signed out is not the active account any more.
    mutating func forgetActiveIfGone(of owner: CacheOwner) {
        guard let active = own["active"]?[owner.key]?.string, account(of: owner, id: active) == nil else { return }
        setActive(nil, of: owner)
    }

    private mutating func setActive(_ account: String?, of owner: CacheOwner) {
        var active = own["active"]?.object ?? [:]
        active[owner.key] = account.map { .string($0) }
        own["active"] = active.isEmpty ? nil : .object(active)
    }

    private func account(_ entry: [String: JSONValue]) -> CachedAccount? {
        guard let id = entry["home_account_id"]?.string, let token = entry["secret"]?.string else { return nil }
        let account = entries(.account).first { $0["home_account_id"]?.string == id }
        let session = own["sessions"]?[id]
        return CachedAccount(
            homeAccountID: id, realm: entry["realm"]?.string ?? "", username: account?["username"]?.string ?? "",
            idToken: token, scopes: (session?["scopes"]?.string ?? "").split(separator: " ").map(String.init),
            signedInAt: session?["signed_in_at"]?.seconds)
    }
}

extension CacheOwner {
    /// The app's name in our own part of the cache.
    fileprivate var key: String { "\(environment)-\(clientID)".lowercased() }
}
