// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What tenants publish about themselves, in our own part of the token cache: `providers`, by authority.
extension TokenCache {
    /// Longer than this, keys are not believed without another look; tenants publish new ones well ahead of use.
    private static let providerLifetime: TimeInterval = 86400

    func provider(of authority: Authority, at now: Date, ofAnyAge: Bool = false) -> KnownProvider? {
        guard let entry = own["providers"]?[authority.description], let issuer = entry["issuer"]?.string,
            let fetched = entry["fetched_at"]?.string.flatMap({ TimeInterval($0) }),
            case .array(let keys)? = entry["keys"]
        else { return nil }
        let time = Date(timeIntervalSince1970: fetched)
        let isFresh = time <= now && now.timeIntervalSince(time) < Self.providerLifetime
        guard isFresh || ofAnyAge else { return nil }
        return KnownProvider(
            issuer: issuer, keys: keys.compactMap(Self.key), revocationEndpoint: entry["revocation_endpoint"]?.string,
            tokenEndpoint: entry["token_endpoint"]?.string, fetched: time, fetchedHere: false)
    }

    mutating func note(_ provider: KnownProvider, of authority: Authority) {
        var providers = own["providers"]?.object ?? [:]
        var entry: [String: JSONValue] = [
            "issuer": .string(provider.issuer),
            "fetched_at": .string(String(Int(provider.fetched.timeIntervalSince1970))),
            "keys": .array(provider.keys.compactMap(Self.entry)),
        ]
        entry["revocation_endpoint"] = provider.revocationEndpoint.map { .string($0) }
        entry["token_endpoint"] = provider.tokenEndpoint.map { .string($0) }
        providers[authority.description] = .object(entry)
        own["providers"] = .object(providers)
    }

    private static func key(_ entry: JSONValue) -> KeySet.Key? {
        guard let kid = entry["kid"]?.string, let n = entry["n"]?.string, let e = entry["e"]?.string else { return nil }
        return KeySet.Key(kid: kid, n: n, e: e)
    }

    /// Only what a signature is checked with: RSA keys that are meant for it.
    private static func entry(_ key: KeySet.Key) -> JSONValue? {
        guard key.kty == "RSA", key.use != "enc", let kid = key.kid, let n = key.n, let e = key.e else { return nil }
        return .object(["kid": .string(kid), "n": .string(n), "e": .string(e)])
    }
}
