// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing
import Wire

/// Somebody who has signed in, at a tenant that says what a test wrote down.
struct SessionScene {
    let clock = ManualClock()
    let server = ScriptedTransport([])
    let storage = MemoryStorage()
    let client: NativeAuthClient

    init() throws {
        client = try Fjordshop.client(server, storage: storage, clock: clock)
    }

    static let standard = "openid profile offline_access"

    /// Tokens of this moment.
    func tokens(_ access: String, refresh: String? = "RT2", scope: String = standard, more: String = "") -> String {
        Issuer.shared.tokens(
            access: access, refresh: refresh, scope: scope, more: more,
            at: Int64(clock.now.timeIntervalSince1970))
    }

    @discardableResult
    func signIn(scopes: [String] = [], tokens said: String? = nil) async throws -> Account {
        server.add(
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")),
            .ok(said ?? tokens("AT1.secret", refresh: "RT1.secret")))
        return try #require(
            try await client.signIn(username: Fjordshop.mira, password: "p", scopes: scopes).account)
    }

    /// The cache, as text.
    var kept: String { String(decoding: storage.load() ?? Data(), as: UTF8.self) }

    /// Our own part of the cache.
    var own: JSONValue? { JSONValue(json: storage.load() ?? Data())?["nativeauth"] }
}
