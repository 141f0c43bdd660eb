// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing
import Wire

/// Several people in one cache: who is meant, and whose tokens are given out.
struct SeveralAccountsTests {
    private static let bo = (name: "bo@lofoten.example", objectID: "5e0c1d22-1111-4c7c-8e64-0f5a3a9b1c20")

    private let server = ScriptedTransport([])
    private let storage = MemoryStorage()
    private let clock = ManualClock()

    private func client(keepingOthers: Bool = true) throws -> NativeAuthClient {
        NativeAuthClient(
            Configuration(
                authority: try Authority(Fjordshop.authority), clientID: Fjordshop.clientID,
                keepsOtherAccounts: keepingOthers),
            storage: storage, transport: server, time: clock.source)
    }

    private func signIn(_ client: NativeAuthClient, _ name: String, _ tokens: String) async throws -> Account {
        server.add(.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(tokens))
        return try #require(try await client.signIn(username: name, password: "p").account)
    }

    private func signInBoth(_ client: NativeAuthClient) async throws -> (mira: Account, bo: Account) {
        let mira = try await signIn(client, Fjordshop.mira, Issuer.shared.tokens())
        return (
            mira,
            try await signIn(
                client, Self.bo.name, Issuer.shared.tokens(of: Self.bo.name, objectID: Self.bo.objectID))
        )
    }

    private func names(_ client: NativeAuthClient) throws -> [String] { try client.accounts().map(\.username) }

    @Test func whoSignsInIsTheActiveAccount() async throws {
        let client = try client()
        let (mira, bo) = try await signInBoth(client)
        #expect(try names(client) == [Self.bo.name, Fjordshop.mira])
        #expect(try client.account()?.username == Self.bo.name)
        #expect(try await client.accessToken().value == "AT.\(Self.bo.name)")
        #expect(try await mira.accessToken().value == "AT1.secret")
        #expect(try await bo.accessToken().value == "AT.\(Self.bo.name)")
        #expect(server.isOver)
    }

    @Test func anotherAccountCanBeMadeActive() async throws {
        let client = try client()
        let (mira, bo) = try await signInBoth(client)
        try await mira.makeActive()
        #expect(try names(client) == [Fjordshop.mira, Self.bo.name])
        #expect(try await client.accessToken().value == "AT1.secret")
        try await mira.signOut()
        #expect(try client.account()?.username == Self.bo.name, "another one takes the place")
        #expect(await authFailure { try await mira.makeActive() }?.reason == .signInRequired)
        #expect(try await bo.accessToken().value == "AT.\(Self.bo.name)")
    }

    @Test func signingInAgainReplacesOnesOwnTokensAlone() async throws {
        let client = try client()
        let (_, bo) = try await signInBoth(client)
        _ = try await signIn(client, Fjordshop.mira, Issuer.shared.tokens(access: "AT2.secret", refresh: "RT2.secret"))
        #expect(try names(client) == [Fjordshop.mira, Self.bo.name])
        let kept = String(decoding: storage.load() ?? Data(), as: UTF8.self)
        #expect(!kept.contains("AT1.secret") && !kept.contains("RT1.secret"))
        #expect(try await bo.accessToken().value == "AT.\(Self.bo.name)")
    }

    /// Microsoft's native authentication keeps one account.
    @Test func byDefaultTheOtherOneMakesWay() async throws {
        let client = try client(keepingOthers: false)
        let (mira, _) = try await signInBoth(client)
        #expect(try names(client) == [Self.bo.name])
        #expect(await authFailure { try await mira.accessToken() }?.reason == .signInRequired)
    }

    @Test func refreshingOneLeavesTheOther() async throws {
        let client = try client()
        let (mira, bo) = try await signInBoth(client)
        server.add(.ok(Issuer.shared.tokens(access: "AT3.secret", refresh: "RT3.secret")))
        #expect(try await mira.accessToken(forceRefresh: true).value == "AT3.secret")
        #expect(server.form(server.calls.count - 1)["refresh_token"] == "RT1.secret")
        #expect(try await bo.accessToken().value == "AT.\(Self.bo.name)")
        #expect(try client.account()?.username == Self.bo.name, "the active account is another matter")
    }

    @Test func everybodyCanBeSignedOut() async throws {
        let client = try client()
        _ = try await signInBoth(client)
        #expect(try await client.signOutEverybody() == .notOffered)
        #expect(try names(client).isEmpty)
        let kept = String(decoding: storage.load() ?? Data(), as: UTF8.self)
        for secret in ["AT1.secret", "RT1.secret", Self.bo.name, Fjordshop.mira] { #expect(!kept.contains(secret)) }
    }

    /// A host can have several tenants, and a machine several ports: a session is one tenant's.
    @Test(arguments: [
        ("https://gate.example/one", "https://gate.example/two"),
        ("http://127.0.0.1:8400/t", "http://127.0.0.1:8401/t"),
        ("https://gate.example/one", "https://gate.example:8443/one"),
    ])
    func sessionsOfOtherTenantsAreLeftAlone(_ here: String, _ there: String) async throws {
        func client(_ authority: String) throws -> NativeAuthClient {
            try Fjordshop.client(server, authority: authority, storage: storage, clock: clock)
        }
        let documents = { (authority: String) in
            Issuer.description(issuer: authority + "/v2.0", keys: authority + "/discovery/v2.0/keys")
        }
        server.publish(documents(here), at: "/.well-known/openid-configuration")
        let id = Issuer.shared.idToken({ $0["iss"] = .string(here + "/v2.0") })
        _ = try await signIn(client(here), Fjordshop.mira, Issuer.shared.tokens(id: id))
        let calls = server.calls.count
        #expect(try client(there).account() == nil)
        #expect(
            await authFailure { try await client(there).accessToken(forceRefresh: true) }?.reason == .signInRequired)
        #expect(try await client(there).signOutEverybody() == .nothingToRevoke)
        #expect(server.calls.count == calls, "no token is sent anywhere")
        #expect(try await client(here).accessToken().value == "AT1.secret")
    }

    @Test(arguments: [(300.0, 3900.0, 0), (3600, 900, 0), (3600, 1000, 1), (0, 4500, 0)])
    func minimumValidity(_ wanted: Double, _ passed: Double, _ refreshes: Int) async throws {
        let client = try client()
        let account = try await signIn(client, Fjordshop.mira, Issuer.shared.tokens())
        clock.advance(by: passed)
        let calls = server.calls.count
        server.add(.ok(Issuer.shared.tokens(access: "AT2", at: Int64(clock.now.timeIntervalSince1970))))
        let token = try await account.accessToken(minimumValidity: .seconds(wanted))
        #expect(server.calls.count - calls == refreshes)
        #expect(token.wasRefreshed == (refreshes > 0))
    }
}
