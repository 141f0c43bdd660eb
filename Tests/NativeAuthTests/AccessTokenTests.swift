// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing
import Wire

/// Access tokens from the cache, and by a refresh.
struct AccessTokenTests {
    private let clock = ManualClock()
    private let server = ScriptedTransport([])
    private let storage = MemoryStorage()
    private let client: NativeAuthClient

    init() throws {
        client = try Fjordshop.client(server, storage: storage, clock: clock)
    }

    private var now: Int64 { Int64(clock.now.timeIntervalSince1970) }

    private func tokens(_ access: String, refresh: String? = "RT2", scope: String = "openid profile offline_access")
        -> String
    {
        Issuer.shared.tokens(access: access, refresh: refresh, scope: scope, at: now)
    }

    @discardableResult
    private func signIn(
        scopes: [String] = [], granted: String = "openid profile offline_access", expiresIn: String = "4523"
    ) async throws -> Account {
        server.add(
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")),
            .ok(Issuer.shared.tokens(scope: granted, expiresIn: expiresIn, at: now)))
        let step = try await client.signIn(username: Fjordshop.mira, password: "p", scopes: scopes)
        return try #require(step.account)
    }

    @Test func cachedTokenTakesNoRequest() async throws {
        let account = try await signIn()
        clock.advance(by: 4523 - 300)
        let token = try await account.accessToken()
        #expect(token.value == "AT1.secret")
        #expect(!token.wasRefreshed)
        #expect(try await client.accessToken() == token)
        #expect(server.calls.count == 3)
    }

    @Test func fiveMinutesHaveToBeLeft() async throws {
        let account = try await signIn(scopes: ["api://a/Read"], granted: "api://a/Read openid profile offline_access")
        clock.advance(by: 4523 - 299)
        server.add(.ok(tokens("AT2", scope: "api://a/Read openid profile offline_access")))
        let token = try await account.accessToken()
        #expect(token.value == "AT2")
        #expect(token.wasRefreshed)
        #expect(token.scopes.contains("api://a/Read"))
        #expect(
            server.form(3) == [
                "client_id": Fjordshop.clientID, "grant_type": "refresh_token", "refresh_token": "RT1.secret",
                "scope": "api://a/Read openid profile offline_access",
                "client_info": server.form(3)["client_info"] ?? "",
            ])
        #expect(["1", "true"].contains(server.form(3)["client_info"]))
        #expect(try await account.accessToken().value == "AT2")
        #expect(server.calls.count == 4)
    }

    @Test func newestRefreshTokenIsUsed() async throws {
        let account = try await signIn()
        for number in 2...4 {
            server.add(.ok(tokens("AT\(number)", refresh: "RT\(number)")))
            #expect(try await account.accessToken(forceRefresh: true).value == "AT\(number)")
        }
        #expect((3...5).map { server.form($0)["refresh_token"] } == ["RT1.secret", "RT2", "RT3"])
    }

    @Test func forcingAsksTheTenant() async throws {
        let account = try await signIn()
        server.add(.ok(tokens("AT2", refresh: nil)), .ok(tokens("AT3")))
        #expect(try await account.accessToken(forceRefresh: true).value == "AT2")
        #expect(try await client.accessToken(forceRefresh: true).value == "AT3")
        // The second answer held no refresh token, so the first one stays.
        #expect(server.form(4)["refresh_token"] == "RT1.secret")
    }

    @Test("T70: a token from the future has expired") func tokenFromTheFutureHasExpired() async throws {
        let account = try await signIn()
        clock.advance(by: -1)
        server.add(.ok(tokens("AT2")))
        #expect(try await account.accessToken().value == "AT2")
        #expect(server.calls.count == 4)
    }

    /// The service grants a Graph scope to whoever asks for no resource.
    @Test func unaskedScopeIsNoReasonToRefresh() async throws {
        let account = try await signIn(granted: "openid profile email User.Read")
        #expect(try await account.accessToken().value == "AT1.secret")
        #expect(server.calls.count == 3)
    }

    @Test func resourcesStandSideBySide() async throws {
        let account = try await signIn(scopes: ["api://a/Read"], granted: "api://a/Read openid profile offline_access")
        server.add(.ok(tokens("AT-B", scope: "api://b/Read openid profile offline_access")))
        #expect(try await account.accessToken(scopes: ["api://b/Read"]).value == "AT-B")
        #expect(server.form(3)["scope"] == "api://b/Read openid profile offline_access")
        #expect(try await account.accessToken(scopes: ["api://b/Read"]).value == "AT-B")
        #expect(try await account.accessToken(scopes: ["API://A/READ"]).value == "AT1.secret")
        #expect(try await account.accessToken().value == "AT1.secret")
        #expect(server.calls.count == 4)
    }

    /// The tenant granted less than was asked for: that is an error, but what it sent is kept.
    @Test func declinedScopesAreTold() async throws {
        let account = try await signIn()
        server.add(.ok(tokens("AT2", refresh: "RT2")), .ok(tokens("AT3")))
        let error = await authFailure { try await account.accessToken(scopes: ["api://a/Read"]) }
        #expect(error?.reason == .scopesDeclined(granted: ["openid", "profile", "offline_access"]))
        _ = try await account.accessToken(forceRefresh: true)
        #expect(server.form(4)["refresh_token"] == "RT2")
    }

    @Test(arguments: [
        #"{"error":"invalid_grant","error_codes":[700082],"error_description":"AADSTS700082: expired."}"#,
        #"{"error":"invalid_grant","error_codes":[70008]}"#, #"{"error":"expired_refresh_token"}"#,
    ])
    func refusedRefreshKeepsTheAccount(_ json: String) async throws {
        let account = try await signIn()
        server.add(.refused(json), .ok(tokens("AT2")))
        let error = await authFailure { try await account.accessToken(forceRefresh: true) }
        #expect(error?.reason == .signInRequired)
        #expect(error?.error != nil)
        #expect(try client.account()?.username == Fjordshop.mira)
        // The tenant may think better of it.
        #expect(try await account.accessToken(forceRefresh: true).value == "AT2")
        #expect(server.form(4)["refresh_token"] == "RT1.secret")
    }

    @Test(arguments: [
        (#"{"error":"invalid_scope","error_codes":[70011]}"#, AuthError.Reason.invalidScope),
        (#"{"error":"unauthorized_client","error_codes":[700016]}"#, .clientRejected),
    ])
    func otherRefusalsKeepTheirMeaning(_ json: String, _ reason: AuthError.Reason) async throws {
        let account = try await signIn()
        server.add(.refused(json))
        #expect(await authFailure { try await account.accessToken(forceRefresh: true) }?.reason == reason)
    }

    @Test func networkFailureKeepsEverything() async throws {
        let account = try await signIn()
        let before = storage.load()
        server.add(.failure(.noConnection), .failure(.noConnection))
        let error = await authFailure { try await account.accessToken(forceRefresh: true) }
        #expect(error?.reason == .network(.noConnection))
        #expect(storage.load() == before)
        #expect(try await account.accessToken().value == "AT1.secret")
    }

    /// A tenant that cannot be reached takes nothing from a token that is good for a few minutes more.
    @Test func lastMinutesAreUsedWhereTheTenantIsAway() async throws {
        let account = try await signIn()
        clock.advance(by: 4523 - 60)
        server.add(.answer(503, ""), .answer(503, ""))
        let token = try await account.accessToken()
        #expect(token.value == "AT1.secret")
        #expect(!token.wasRefreshed)
        clock.advance(by: 60)
        server.add(.failure(.noConnection), .failure(.noConnection))
        #expect(await authFailure { try await account.accessToken() }?.reason == .network(.noConnection))
        #expect(server.isOver)
    }

    @Test func lastMinutesAreNotUsedWhereTheTenantRefuses() async throws {
        let account = try await signIn()
        clock.advance(by: 4523 - 60)
        server.add(.refused(#"{"error":"invalid_grant","error_codes":[700082]}"#))
        #expect(await authFailure { try await account.accessToken() }?.reason == .signInRequired)
    }

    @Test func browserMayBeNeeded() async throws {
        let account = try await signIn()
        server.add(.ok(Said.redirect))
        #expect(await authFailure { try await account.accessToken(forceRefresh: true) }?.reason == .browserRequired)
    }

    @Test func tokensOfAnotherAccountAreRefused() async throws {
        let account = try await signIn()
        let before = storage.load()
        server.add(.ok(tokens("AT2").replacing("client_info", with: "left_out")))
        #expect(try await account.accessToken(forceRefresh: true).value == "AT2")
        let other = Issuer.shared.idToken({ $0["oid"] = .string("00000000-9a1e-4c7c-8e64-0f5a3a9b1c20") }, at: now)
        let kept = storage.load()
        #expect(kept != before)
        server.add(
            .ok(Issuer.shared.tokens(access: "AT3", id: other, at: now).replacing("client_info", with: "left_out")))
        #expect(
            await authFailure { try await account.accessToken(forceRefresh: true) }?.reason.isUnexpectedAnswer == true)
        #expect(storage.load() == kept)
    }

    @Test("T72: many tasks refresh once", arguments: [false, true])
    func manyTasksRefreshOnce(_ onDisk: Bool) async throws {
        let folder = try TemporaryFolder()
        let storages: [any TokenStorage] =
            onDisk
            ? (0..<50).map { _ in FileStorage(path: folder.path + "/cache.json") }
            : Array(repeating: storage, count: 50)
        let first = try Fjordshop.client(server, storage: storages[0], clock: clock)
        server.add(.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens(at: now)))
        _ = try await first.signIn(username: Fjordshop.mira, password: "p")
        clock.advance(by: 4300)
        server.add(.ok(tokens("AT2")))
        let server = server
        let clock = clock
        let values = try await withThrowingTaskGroup(of: String.self) { group in
            for storage in storages {
                group.addTask { try await Fjordshop.client(server, storage: storage, clock: clock).accessToken().value }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(values == Array(repeating: "AT2", count: 50))
        #expect(server.calls.count == 4)
        #expect(server.isOver)
    }

    // MARK: - The account

    @Test func nobodyIsSignedInAtFirst() async throws {
        #expect(try client.account() == nil)
        #expect(await authFailure { try await client.accessToken() }?.reason == .signInRequired)
        #expect(storage.load() == nil)
    }

    @Test func signOutForgetsTheTokens() async throws {
        let account = try await signIn()
        try await account.signOut()
        #expect(try client.account() == nil)
        #expect(await authFailure { try await account.accessToken() }?.reason == .signInRequired)
        let text = String(decoding: try #require(storage.load()), as: UTF8.self)
        for secret in ["AT1.secret", "RT1.secret", account.idToken] { #expect(!text.contains(secret)) }
        #expect(server.calls.count == 3)
        try await account.signOut()
    }

    @Test func accountTellsItsClaims() async throws {
        let account = try await signIn(scopes: ["api://a/Read"], granted: "api://a/Read openid")
        #expect(account.homeAccountID == "\(Fjordshop.objectID).\(Fjordshop.tenantID)")
        #expect(account.claims.string("name") == "Mira L")
        #expect(account.claims.strings("aud") == [Fjordshop.clientID])
        #expect(account.claims.date("exp") == Date(timeIntervalSince1970: TimeInterval(now + 3600)))
        #expect(account.scopes == ["api://a/Read"])
        #expect(account.signedInAt == clock.now)
        let again = try #require(try client.account())
        #expect(again.idToken == account.idToken)
        #expect(again.signedInAt == account.signedInAt)
    }

    @Test func nextSignInReplacesTheAccount() async throws {
        let first = try await signIn()
        server.add(
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")),
            .ok(
                Issuer.shared.tokens(
                    access: "AT9",
                    id: Issuer.shared.idToken({
                        $0["oid"] = .string("o2"); $0["preferred_username"] = .string("b")
                    })
                )
                .replacing("client_info", with: "left_out")))
        _ = try await client.signIn(username: "b", password: "p")
        #expect(try client.account()?.username == "b")
        #expect(await authFailure { try await first.accessToken() }?.reason == .signInRequired)
        // Who was signed in before signs nobody else out.
        try await first.signOut()
        #expect(try client.account()?.username == "b")
        #expect(try await client.accessToken().value == "AT9")
    }
}
