// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization
import Wire

/// What the tenant publishes about itself: its issuer name and its keys. Fetched once, and kept with the tokens for a
/// day, so that a short-lived program does not ask for it with every refresh.
final class Provider: Sendable {
    /// A key that is not known is looked for at most this often, so that forged tokens cause no load.
    private static let refetchInterval: TimeInterval = 300

    private let service: Service
    private let cache: StoredTokenCache
    private let known = Mutex<KnownProvider?>(nil)

    init(service: Service, cache: StoredTokenCache) {
        self.service = service
        self.cache = cache
    }

    /// Puts what was fetched beside the tokens.
    func remember(in cache: inout TokenCache) {
        guard let known = known.withLock({ $0 }), known.fetchedHere else { return }
        cache.note(known, of: service.configuration.authority)
    }

    /// Checks an ID token that the token endpoint has just sent. A key that is not known may be a new one, so it is
    /// looked for once.
    func claims(of token: String, correlationID: String) async throws(AuthError) -> Claims {
        let known = try await current(correlationID: correlationID)
        do throws(AuthError) {
            return try check(token, by: known, correlationID)
        } catch {
            guard error.reason == .untrustedIDToken(.unknownKey), mayAskAgain(after: known) else { throw error }
        }
        return try check(token, by: try await fetch(correlationID: correlationID), correlationID)
    }

    /// Where tokens are revoked; nil where the tenant publishes no such place. What is remembered counts, however old: who
    /// signs out is not to wait for a description first.
    func revocationEndpoint(correlationID: String) async throws(AuthError) -> String? {
        let authority = service.configuration.authority
        if let kept = try? cache.read().provider(of: authority, at: service.time.now(), ofAnyAge: true) {
            return kept.revocationEndpoint
        }
        return try await current(correlationID: correlationID).revocationEndpoint
    }

    /// Where a browser is sent, and what it brings is exchanged. Not kept between processes: a person waits anyway.
    func browserEndpoints(correlationID: String) async throws(AuthError) -> BrowserEndpoints {
        if let known = known.withLock({ $0 })?.browser { return known }
        guard let browser = try await fetch(correlationID: correlationID).browser else {
            throw AuthError(.unexpectedAnswer(.otherTenant), correlationID: correlationID)
        }
        return browser
    }

    /// Where tokens are asked for; nil for a tenant, whose protocol says where.
    func tokenEndpoint(correlationID: String) async throws(AuthError) -> String? {
        guard service.configuration.authority.issuer != nil else { return nil }
        if let place = try await current(correlationID: correlationID).tokenEndpoint { return place }
        return try await fetch(correlationID: correlationID).tokenEndpoint
    }

    private func mayAskAgain(after known: KnownProvider) -> Bool {
        !known.fetchedHere || service.time.now().timeIntervalSince(known.fetched) > Self.refetchInterval
    }

    private func check(
        _ token: String, by known: KnownProvider, _ correlationID: String
    ) throws(AuthError) -> Claims {
        let configuration = service.configuration
        let check = IDTokenCheck(
            issuer: known.issuer, audience: configuration.clientID, keys: known.keys, now: service.time.now(),
            isOfTenant: configuration.authority.issuer == nil)
        do {
            return try check.claims(of: token)
        } catch {
            var error = error
            error.correlationID = correlationID
            throw error
        }
    }

    private func current(correlationID: String) async throws(AuthError) -> KnownProvider {
        if let known = known.withLock({ $0 }) { return known }
        let authority = service.configuration.authority
        if let kept = try? cache.read().provider(of: authority, at: service.time.now()),
            accepts(issuer: kept.issuer)
        {
            known.withLock { $0 = kept }
            return kept
        }
        return try await fetch(correlationID: correlationID)
    }

    private func fetch(correlationID: String) async throws(AuthError) -> KnownProvider {
        let authority = service.configuration.authority
        let description = try await service.document(
            ProviderConfiguration.self, at: authority.selfDescription, correlationID: correlationID)
        guard accepts(issuer: description.issuer), accepts(keysAt: description.jwksUri) else {
            throw AuthError(
                .unexpectedAnswer(.otherTenant), correlationID: correlationID)
        }
        let hasToken = accepts(keysAt: description.tokenEndpoint)
        let keys = try await service.document(KeySet.self, at: description.jwksUri, correlationID: correlationID)
        let fresh = KnownProvider(
            issuer: description.issuer, keys: keys.keys,
            // A token is sent there, so it has to be as near as the keys.
            revocationEndpoint: description.openRevocationEndpoint.flatMap { accepts(keysAt: $0) ? $0 : nil },
            tokenEndpoint: authority.issuer != nil && hasToken ? description.tokenEndpoint : nil,
            browser: hasToken ? endpoints(in: description) : nil,
            fetched: service.time.now(), fetchedHere: true)
        known.withLock { $0 = fresh }
        return fresh
    }

    /// Every address has to be the tenant's own (OpenID Connect Discovery 1.0, section 4.3, and RFC 9207, section 4).
    private func endpoints(in description: ProviderConfiguration) -> BrowserEndpoints {
        func own(_ address: String?) -> String? { address.flatMap { accepts(keysAt: $0) ? $0 : nil } }
        return BrowserEndpoints(
            issuer: description.issuer, authorization: own(description.authorizationEndpoint),
            token: description.tokenEndpoint, device: own(description.deviceAuthorizationEndpoint),
            namesIssuer: description.authorizationResponseIssParameterSupported == true)
    }

    private func accepts(issuer: String) -> Bool {
        service.configuration.transportVouches || service.configuration.authority.accepts(issuer: issuer)
    }

    private func accepts(keysAt address: String) -> Bool {
        service.configuration.transportVouches || service.configuration.authority.accepts(keysAt: address)
    }
}

/// What a sign-in in a browser needs to know of a tenant.
struct BrowserEndpoints: Sendable, Equatable {
    var issuer: String
    var authorization: String?
    var token: String
    var device: String?
    /// Whether each answer says whose it is (RFC 9207).
    var namesIssuer: Bool
}

/// A tenant's own name and keys, and when they were fetched.
struct KnownProvider: Sendable, Equatable {
    var issuer: String
    var keys: [KeySet.Key]
    var revocationEndpoint: String?
    /// Nil for a tenant, whose protocol says where tokens are.
    var tokenEndpoint: String?
    /// Nil where it was not fetched by this process.
    var browser: BrowserEndpoints?
    var fetched: Date
    /// Whether this process fetched them.
    var fetchedHere: Bool
}

extension Authority {
    /// Whether a tenant at this address may call itself by this name.
    ///
    /// It may use its own address, with its id or its name as the path. Entra's tenants are called after their id,
    /// `https://{id}.ciamlogin.com/{id}/v2.0`, whichever address they are reached by; where the address holds the id,
    /// the two have to agree.
    func accepts(issuer: String) -> Bool {
        if let own = self.issuer { return issuer.utf8.elementsEqual(own.utf8) }
        guard issuer.hasSuffix("/v2.0"), let name = try? Authority(String(issuer.dropLast("/v2.0".count))),
            name.url.path.split(separator: "/").count == 1
        else { return false }
        let isTenantID = UUID(uuidString: name.tenant) != nil
        if name.hasSameOrigin(as: self) || name.isBeside(self) {
            return name.tenant == tenant || (isTenantID && UUID(uuidString: tenant) == nil)
        }
        guard name.url.scheme == "https", isTenantID, name.host == "\(name.tenant.lowercased()).ciamlogin.com" else {
            return false
        }
        return UUID(uuidString: tenant) == nil
            ? host.hasSuffix(".ciamlogin.com") : name.tenant.lowercased() == tenant.lowercased()
    }

    /// Whether keys at this address can be the tenant's: on its own host, or on one of Entra's. Other providers name any
    /// address, but no worse protected one than their own.
    func accepts(keysAt text: String) -> Bool {
        if issuer != nil { return isAsSafe(text) }
        guard let keys = try? Authority(text) else { return false }
        return keys.hasSameOrigin(as: self) || keys.isBeside(self)
            || (url.scheme == "https" && keys.url.scheme == "https" && keys.host.hasSuffix(".ciamlogin.com"))
    }

    private func isAsSafe(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), let other = parts.host, !other.isEmpty, parts.user == nil
        else { return false }
        return parts.scheme == "https"
            || (parts.scheme == "http" && url.scheme == "http" && Loopback.contains(other.lowercased()))
    }

    /// A local tenant may answer at another port than its name has.
    private func isBeside(_ other: Authority) -> Bool {
        Loopback.contains(host) && host == other.host
    }

    private func hasSameOrigin(as other: Authority) -> Bool {
        url.scheme == other.url.scheme && host == other.host && url.port == other.url.port
    }
}

extension ProviderConfiguration {
    /// Where apps without a secret may give tokens back. Who lists ways to prove who one is, and "none" is not among them, has
    /// no such place (RFC 8414, section 2).
    fileprivate var openRevocationEndpoint: String? {
        revocationEndpointAuthMethodsSupported?.contains("none") == false ? nil : revocationEndpoint
    }
}
