// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import TenantTesting
import Testing
import Wire

/// What a tenant may say about itself, and how often it is asked.
struct DiscoveryTests {
    private typealias Line = ScriptedTransport.Line

    private static let signIn: [Line] = [.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2"))]

    private func signIn(_ client: NativeAuthClient) async -> AuthError? {
        await signInFailure { try await client.signIn(username: Fjordshop.mira, password: "p") }?.error
    }

    private static let id = Fjordshop.tenantID
    private static let ciam = "https://\(id).ciamlogin.com/\(id)/v2.0"

    struct Description: Sendable, CustomTestStringConvertible {
        let authority: String
        let issuer: String
        let keys: String
        var testDescription: String { "\(authority): \(issuer), \(keys)" }

        init(_ authority: String = Fjordshop.authority, issuer: String = DiscoveryTests.ciam, keys: String) {
            self.authority = authority
            self.issuer = issuer
            self.keys = keys
        }
    }

    private static let ownKeys = "https://fjordshop.ciamlogin.com/\(id)/discovery/v2.0/keys"

    static let believed: [Description] = [
        Description(keys: ownKeys),
        Description(keys: "https://\(id).ciamlogin.com/\(id)/discovery/v2.0/keys"),
        Description("https://fjordshop.ciamlogin.com/\(id)", keys: ownKeys),
        Description(
            "https://login.fjordshop.example/\(id)", keys: "https://login.fjordshop.example/\(id)/discovery/v2.0/keys"),
        Description(
            "https://login.fjordshop.example/\(id)", keys: "https://\(id).ciamlogin.com/\(id)/discovery/v2.0/keys"),
        Description(
            "http://127.0.0.1:8400/local", issuer: "http://127.0.0.1:8400/\(id)/v2.0",
            keys: "http://127.0.0.1:8400/\(id)/discovery/v2.0/keys"),
        Description(
            "http://127.0.0.1:9999/local", issuer: "http://127.0.0.1:8400/\(id)/v2.0",
            keys: "http://127.0.0.1:9999/\(id)/discovery/v2.0/keys"),
    ]

    private func client(_ row: Description) throws -> (ScriptedTransport, NativeAuthClient) {
        let token = Issuer.shared.idToken { $0["iss"] = .string(row.issuer) }
        let server = ScriptedTransport(Self.signIn + [.ok(Issuer.shared.tokens(id: token))])
        server.publish(Issuer.description(issuer: row.issuer, keys: row.keys), at: "/.well-known/openid-configuration")
        return (server, try Fjordshop.client(server, authority: row.authority))
    }

    @Test(arguments: believed)
    func descriptionIsBelieved(_ row: Description) async throws {
        let (server, client) = try client(row)
        #expect(await signIn(client) == nil)
        #expect(server.documents == [row.authority + "/v2.0/.well-known/openid-configuration", row.keys])
    }

    static let refused: [Description] = [
        Description(issuer: "https://evil.example/\(id)/v2.0", keys: ownKeys),
        Description(issuer: "https://evil.ciamlogin.com/\(id)/v2.0", keys: ownKeys),
        Description(issuer: "http://\(id).ciamlogin.com/\(id)/v2.0", keys: ownKeys),
        Description(issuer: "https://\(id).ciamlogin.com.evil.example/\(id)/v2.0", keys: ownKeys),
        Description(issuer: "https://\(id).ciamlogin.com/\(id)", keys: ownKeys),
        Description(issuer: "https://\(id).ciamlogin.com/other/v2.0", keys: ownKeys),
        Description(issuer: "", keys: ownKeys),
        Description(
            "https://fjordshop.ciamlogin.com/00000000-52b7-4f0a-9a55-1b7e0c9d2f31", keys: ownKeys),
        Description(
            "https://login.fjordshop.example/00000000-52b7-4f0a-9a55-1b7e0c9d2f31",
            keys: "https://login.fjordshop.example/\(id)/discovery/v2.0/keys"),
        Description(
            "https://login.fjordshop.example/fjordshop", keys: "https://login.fjordshop.example/x/discovery/v2.0/keys"),
        Description(keys: "https://evil.example/\(id)/discovery/v2.0/keys"),
        Description(keys: "http://fjordshop.ciamlogin.com/\(id)/discovery/v2.0/keys"),
        Description(keys: "https://fjordshop.ciamlogin.com.evil.example/\(id)/discovery/v2.0/keys"),
        Description(keys: "https://evilciamlogin.com/\(id)/discovery/v2.0/keys"),
        Description(keys: "http://127.0.0.1/\(id)/discovery/v2.0/keys"),
        Description(keys: "https://fjordshop.ciamlogin.com@evil.example/\(id)/discovery/v2.0/keys"),
        Description(keys: ""),
        Description(
            "http://127.0.0.1:8400/local", issuer: "http://127.0.0.2:8400/\(id)/v2.0",
            keys: "http://127.0.0.1:8400/\(id)/discovery/v2.0/keys"),
        Description(
            "http://127.0.0.1:8400/local", issuer: "http://127.0.0.1:8400/\(id)/v2.0",
            keys: "https://evil.ciamlogin.com/\(id)/discovery/v2.0/keys"),
    ]

    @Test("Rule 80: a description of another issuer, or with endpoints elsewhere, is not believed", arguments: refused)
    func descriptionIsNotBelieved(_ row: Description) async throws {
        let (server, client) = try client(row)
        #expect(await signIn(client)?.reason.isUnexpectedAnswer == true)
        // The keys of a stranger are not even fetched.
        #expect(server.documents.count == 1)
        #expect(try client.account() == nil)
    }

    @Test func documentsAreFetchedOnce() async throws {
        let server = ScriptedTransport([])
        let client = try Fjordshop.client(server)
        for _ in 0..<3 {
            for line in Self.signIn { server.add(line) }
            server.add(.ok(Issuer.shared.tokens()))
            #expect(await signIn(client) == nil)
        }
        #expect(server.documents.count == 2)
    }

    /// Tokens with unknown keys cause at most one look for new keys in five minutes.
    @Test("Rule 81: an unknown key is looked for rarely") func unknownKeyIsLookedForRarely() async throws {
        let clock = ManualClock()
        let server = ScriptedTransport([])
        let client = try Fjordshop.client(server, clock: clock)
        func present(_ issuer: Issuer) async -> AuthError.Reason? {
            for line in Self.signIn { server.add(line) }
            server.add(.ok(issuer.tokens()))
            return await signIn(client)?.reason
        }
        #expect(await present(.shared) == nil)
        for _ in 0..<10 { #expect(await present(.stranger) == .untrustedIDToken(.unknownKey)) }
        #expect(server.documents.count == 2)
        clock.advance(by: 301)
        for _ in 0..<10 { #expect(await present(.stranger) == .untrustedIDToken(.unknownKey)) }
        #expect(server.documents.count == 4)
        // The tenant changes its key, and is believed when it is asked next.
        server.publish(Issuer.stranger.keys, at: "/discovery/v2.0/keys")
        #expect(await present(.stranger) == .untrustedIDToken(.unknownKey))
        clock.advance(by: 301)
        #expect(await present(.stranger) == nil)
        #expect(server.documents.count == 6)
    }

    @Test(arguments: ["", "garbage", "{}", #"{"keys":5}"#, #"{"keys":[{"kid":"k"}]}"#])
    func keysAreGarbage(_ json: String) async throws {
        let server = ScriptedTransport(Self.signIn + [.ok(Issuer.shared.tokens())])
        server.publish(json, at: "/discovery/v2.0/keys")
        #expect(await signIn(try Fjordshop.client(server))?.reason.isUnexpectedAnswer == true)
    }

    @Test func foreignTokenIsNotKept() async throws {
        let storage = MemoryStorage()
        let server = ScriptedTransport(Self.signIn + [.ok(Issuer.shared.tokens(id: Issuer.stranger.idToken()))])
        let client = try Fjordshop.client(server, storage: storage)
        #expect(await signIn(client)?.reason == .untrustedIDToken(.unknownKey))
        #expect(storage.load() == nil)
    }

    @Test(arguments: [
        #"{}"#, #"{"token_type":"Bearer","expires_in":3600}"#,
        #"{"token_type":"pop","access_token":"a","id_token":"b","expires_in":3600}"#,
        #"{"token_type":"Bearer","access_token":"a","expires_in":3600}"#,
        #"{"token_type":"Bearer","id_token":"b","expires_in":3600}"#,
        #"{"token_type":"Bearer","access_token":"a","id_token":"b"}"#,
        #"{"token_type":"Bearer","access_token":"a","id_token":"b","expires_in":0}"#,
        #"{"token_type":"Bearer","access_token":"a","id_token":"b","expires_in":-1}"#,
        #"{"token_type":"Bearer","access_token":"a","id_token":"b","expires_in":9223372036854775807}"#,
    ])
    func tokensAreIncomplete(_ json: String) async throws {
        let client = try Fjordshop.client(ScriptedTransport(Self.signIn + [.ok(json)]))
        #expect(await signIn(client)?.reason.isUnexpectedAnswer == true)
        #expect(try client.account() == nil)
    }

    /// Other times than the life of the token are taken as far as they make sense.
    @Test func hugeTimesAreTakenAsFarAsTheyMakeSense() async throws {
        let more = #","refresh_in":9223372036854775807,"ext_expires_in":9223372036854775807"#
        let answer = Issuer.shared.tokens(more: more).replacing(#""ext_expires_in":4523,"#, with: "")
        let client = try Fjordshop.client(ScriptedTransport(Self.signIn + [.ok(answer)]))
        #expect(await signIn(client) == nil)
        #expect(try client.account()?.username == Fjordshop.mira)
    }
}
