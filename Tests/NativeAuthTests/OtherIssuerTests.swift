// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing
import Wire

@testable import NativeAuth

/// OpenID providers that are no tenants.
struct OtherIssuerTests {
    private static let issuer = "https://idp.example/realms/fjord"

    private let clock = ManualClock()
    private let storage = MemoryStorage()
    private let server = ScriptedTransport([])

    private func client(_ issuer: String = issuer) throws -> NativeAuthClient {
        NativeAuthClient(
            Configuration(authority: try Authority(issuer: issuer), clientID: Fjordshop.clientID),
            storage: storage, transport: server, time: clock.source)
    }

    /// Everything but the issuer is elsewhere, as it is with large providers.
    private func publish(
        _ issuer: String = issuer, token: String = "https://oauth2.idp.example/token",
        keys: String = "https://keys.idp.example/certs", more: String = ""
    ) {
        server.publish(
            #"{"issuer":"\#(issuer)","token_endpoint":"\#(token)","jwks_uri":"\#(keys)","#
                + #""authorization_endpoint":"https://login.idp.example/authorize?tenant=1"\#(more)}"#,
            at: "/.well-known/openid-configuration")
        server.publish(Issuer.shared.keys, at: "/certs")
    }

    private func idToken(_ nonce: String?, sub: String = "Ab", issuer: String = issuer) -> String {
        Issuer.shared.idToken(
            { claims in
                for name in ["oid", "tid", "preferred_username"] { claims[name] = nil }
                claims["iss"] = .string(issuer)
                claims["sub"] = .string(sub)
                claims["email"] = .string(Fjordshop.mira)
                claims["nonce"] = nonce.map { .string($0) }
            }, at: Int64(clock.now.timeIntervalSince1970))
    }

    private func answer(_ access: String, refresh: String, id: String? = nil) -> ScriptedTransport.Line {
        let id = id.map { #","id_token":"\#($0)""# } ?? ""
        return .ok(
            #"{"token_type":"bearer","expires_in":3600,"access_token":"\#(access)","#
                + #""refresh_token":"\#(refresh)"\#(id)}"#
        )
    }

    private func signIn(
        _ client: NativeAuthClient, sub: String = "Ab", issuer: String = issuer
    ) async throws -> Account {
        let signIn = try await client.signInInBrowser(redirect: "http://127.0.0.1:4711")
        let query = try #require(signIn.address.split(separator: "?", maxSplits: 1).last)
        let form = try Form(body: Array(query.utf8)).fields
        server.add(answer("AT1", refresh: "RT1", id: idToken(form["nonce"], sub: sub, issuer: issuer)))
        return try await signIn.finish(with: "?code=C&state=\(form["state"] ?? "")&iss=\(issuer)")
    }

    @Test(
        "an issuer is kept to the byte, and describes itself below itself",
        arguments: [
            ("https://idp.example", ""), ("https://idp.example/", ""), ("https://IDP.example/Realms/a", "/Realms/a"),
            ("http://127.0.0.1:8080/oidc", "/oidc"), ("https://idp.example:8443/a/b/", "/a/b"),
        ])
    func names(text: String, path: String) throws {
        let authority = try Authority(issuer: text)
        #expect(authority.issuer == text && authority.description == text)
        #expect(authority.selfDescription.hasSuffix("\(path)/.well-known/openid-configuration"))
        #expect(!authority.selfDescription.dropFirst(8).contains("//"))
        #expect(authority.accepts(issuer: text))
        for other in [text + "/", text.uppercased(), String(text.dropLast()), text + "/v2.0"] {
            #expect(!authority.accepts(issuer: other), "\(other)")
        }
    }

    @Test(
        "what is no issuer is refused",
        arguments: [
            "", "idp.example", "http://idp.example", "https://idp.example?x=1", "https://idp.example#x",
            "https://ada@idp.example", "https://ada:pw@idp.example", "https://idp.example/ x", "ftp://idp.example",
            "https://idp.example/\u{E6}", "https:///realms",
        ])
    func noNames(text: String) {
        #expect(throws: Authority.Invalid.self) { try Authority(issuer: text) }
    }

    @Test("addresses of a provider may be anywhere, but are protected as well as its own")
    func places() throws {
        let far = try Authority(issuer: Self.issuer)
        #expect(far.accepts(keysAt: "https://keys.example/certs") && far.accepts(keysAt: "https://keys.example"))
        for bad in ["http://idp.example/keys", "http://127.0.0.1/keys", "file:///keys", "", "https://u@idp.example/"] {
            #expect(!far.accepts(keysAt: bad), "\(bad)")
        }
        let near = try Authority(issuer: "http://127.0.0.1:8080/oidc")
        #expect(near.accepts(keysAt: "http://127.0.0.1:9090/keys") && !near.accepts(keysAt: "http://idp.example/keys"))
    }

    @Test("somebody signs in, and the session goes on without another ID token, in other processes too")
    func session() async throws {
        publish()
        let account = try await signIn(client())
        #expect(account.username == Fjordshop.mira && account.claims.string("sub") == "Ab")
        #expect(server.calls.map(\.url) == ["https://oauth2.idp.example/token"])
        let documents = server.documents.count
        server.add(answer("AT2", refresh: "RT2"), answer("AT3", refresh: "RT3"))
        let later = try #require(try client().account())
        #expect(try await later.accessToken(forceRefresh: true).value == "AT2")
        #expect(try await later.accessToken(forceRefresh: true).value == "AT3")
        #expect(server.form(2)["refresh_token"] == "RT2")
        #expect(Set(server.calls.map(\.url)) == ["https://oauth2.idp.example/token"])
        #expect(server.documents.count == documents, "the token endpoint is kept")
        #expect(try client().account()?.username == Fjordshop.mira)
        clock.advance(by: 86_401)
        server.add(answer("AT4", refresh: "RT4"))
        #expect(try await later.accessToken().value == "AT4")
        #expect(try await later.signOutEverywhere() == .notOffered)
    }

    @Test("subjects are told apart to the byte, and by their issuer")
    func identity() async throws {
        publish()
        let one = try await signIn(client()).homeAccountID
        let other = try await signIn(client(), sub: "aB").homeAccountID
        #expect(one != other && one.lowercased() == one)
        let second = "https://idp.example/realms/sund"
        publish(second)
        let elsewhere = try await signIn(client(second), issuer: second)
        #expect(elsewhere.homeAccountID != one)
        #expect(try client(second).accounts().map(\.homeAccountID) == [elsewhere.homeAccountID])
        #expect(try client().accounts().allSatisfy { $0.homeAccountID != elsewhere.homeAccountID })
        let tenant = NativeAuthClient(
            Configuration(authority: try Authority("https://idp.example/realms"), clientID: Fjordshop.clientID),
            storage: storage, transport: server, time: clock.source)
        #expect(try tenant.accounts().isEmpty, "a tenant of the same host has none of them")
    }

    @Test("another name in the description or in the token, or a far worse place, is not believed")
    func impostors() async throws {
        publish("https://idp.example/realms/fjord/")
        await #expect(throws: AuthError.self) { try await signIn(client()) }
        publish(keys: "http://keys.idp.example/certs")
        await #expect(throws: AuthError.self) { try await signIn(client()) }
        publish(token: "http://oauth2.idp.example/token")
        await #expect(throws: AuthError.self) { try await signIn(client()) }
        publish()
        await #expect(throws: AuthError.self) { try await signIn(client(), issuer: "https://evil.example") }
        await #expect(throws: AuthError.self) { try await signIn(client(), sub: "") }
        #expect(try client().account() == nil)
    }

    @Test("tokens are given back where apps without a secret may, and nowhere else")
    func revocation() async throws {
        let place = #","revocation_endpoint":"https://oauth2.idp.example/revoke""#
        publish(more: place + #","revocation_endpoint_auth_methods_supported":["client_secret_basic"]"#)
        #expect(try await signIn(client()).signOutEverywhere() == .notOffered)
        publish(more: place)
        let account = try await signIn(client())
        server.add(.ok(""))
        #expect(try await account.signOutEverywhere() == .revoked)
        #expect(server.calls.last?.url == "https://oauth2.idp.example/revoke")
    }

    @Test("native authentication is asked of nobody who has none")
    func native() async throws {
        publish()
        let error = await signInFailure { try await client().signIn(username: Fjordshop.mira, password: "p") }?.error
        #expect(error?.reason == .browserRequired && server.calls.isEmpty)
    }
}
