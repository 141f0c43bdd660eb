// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NativeAuth
import TenantTesting
import Testing
import Wire

/// What the SDK sends, field by field.
struct RequestTests {
    private let path = "https://fjordshop.ciamlogin.com/fjordshop.onmicrosoft.com"

    @Test func signUpWithEverythingLate() async throws {
        let server = ScriptedTransport([
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .refused(Said.credentialRequired("CT3")),
            .ok(Said.passwordWanted("CT4")), .refused(Said.attributesRequired("CT5")), .ok(Said.token("CT6")),
            .ok(Issuer.shared.tokens(scope: "api://fjord-orders/Orders.Read openid profile offline_access")),
        ])
        let client = try Fjordshop.client(server)
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        let password = try #require(try await code.submit("40518826").password)
        let page = try #require(try await password.submit("Fjørd & 1").attributes)
        let done = try #require(try await page.submit(["displayName": "Mira L", "age": 7, "news": true]).completion)
        let account = try #require(try await done.signIn(scopes: ["api://fjord-orders/Orders.Read"]).account)
        #expect(account.username == Fjordshop.mira)
        #expect(server.isOver)

        #expect(
            server.calls.map(\.url)
                == [
                    "/signup/v1.0/start", "/signup/v1.0/challenge", "/signup/v1.0/continue", "/signup/v1.0/challenge",
                    "/signup/v1.0/continue", "/signup/v1.0/continue", "/oauth2/v2.0/token",
                ].map { path + $0 })
        let types = "oob password redirect"
        #expect(
            server.form(0) == [
                "client_id": Fjordshop.clientID, "username": Fjordshop.mira, "challenge_type": types,
                "capabilities": "mfa_required registration_required",
            ])
        #expect(
            server.form(1) == ["client_id": Fjordshop.clientID, "continuation_token": "CT1", "challenge_type": types])
        #expect(
            server.form(2) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT2", "grant_type": "oob", "oob": "40518826",
            ])
        #expect(
            server.form(3) == ["client_id": Fjordshop.clientID, "continuation_token": "CT3", "challenge_type": types])
        #expect(
            server.form(4) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT4", "grant_type": "password",
                "password": "Fjørd & 1",
            ])
        #expect(
            server.form(5) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT5", "grant_type": "attributes",
                "attributes": #"{"age":7,"displayName":"Mira L","news":true}"#,
            ])
        #expect(
            server.form(6) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT6", "grant_type": "continuation_token",
                "username": Fjordshop.mira, "challenge_type": types, "client_info": "true",
                "scope": "api://fjord-orders/Orders.Read openid profile offline_access",
            ])
    }

    @Test func signUpWithEverythingAtOnce() async throws {
        let server = ScriptedTransport([.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))])
        let client = try Fjordshop.client(server, types: .code)
        _ = try await client.signUp(
            username: Fjordshop.mira, password: "Fjord-Salmon-47", attributes: ["country": "Norway"])
        #expect(
            server.form(0) == [
                "client_id": Fjordshop.clientID, "username": Fjordshop.mira, "challenge_type": "oob redirect",
                "password": "Fjord-Salmon-47", "attributes": #"{"country":"Norway"}"#,
                "capabilities": "mfa_required registration_required",
            ])
    }

    @Test func signInWithPassword() async throws {
        let server = ScriptedTransport([
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .ok(Issuer.shared.tokens()),
        ])
        let client = try Fjordshop.client(server)
        let step = try await client.signIn(username: Fjordshop.mira, password: "Fjord-Salmon-47")
        #expect(step.account != nil)
        let types = "oob password redirect"
        #expect(
            server.form(0) == [
                "client_id": Fjordshop.clientID, "username": Fjordshop.mira, "challenge_type": types,
                "capabilities": "mfa_required registration_required",
            ])
        #expect(
            server.form(1) == ["client_id": Fjordshop.clientID, "continuation_token": "CT1", "challenge_type": types])
        #expect(
            server.form(2) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT2", "grant_type": "password",
                "username": Fjordshop.mira, "password": "Fjord-Salmon-47", "challenge_type": types,
                "client_info": "true", "scope": "openid profile offline_access",
            ])
        #expect(server.calls.map(\.url).allSatisfy { $0.hasPrefix(path + "/oauth2/v2.0/") })
    }

    @Test func signInWithCode() async throws {
        let server = ScriptedTransport([
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .ok(Issuer.shared.tokens()),
        ])
        let client = try Fjordshop.client(server)
        let step = try await client.signIn(
            username: Fjordshop.mira, scopes: ["profile", "api://a/B", "openid", "api://a/B"])
        #expect(try await step.code?.submit("00000001").account != nil)
        #expect(
            server.form(2) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT2", "grant_type": "oob", "oob": "00000001",
                "client_info": "true", "scope": "profile api://a/B openid offline_access",
            ])
    }

    @Test(arguments: [
        ([], "openid profile offline_access"),
        (["api://a/B"], "api://a/B openid profile offline_access"),
        (["api://a/B", "api://a/A", "api://a/B"], "api://a/B api://a/A openid profile offline_access"),
        (["email"], "email openid profile offline_access"),
        (["offline_access", "openid", "profile"], "offline_access openid profile"),
    ])
    func standardScopesComeLastAndOnce(_ asked: [String], _ sent: String) async throws {
        let server = ScriptedTransport([.ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .refused(Said.wrongCode)])
        let step = try await Fjordshop.client(server).signIn(username: Fjordshop.mira, scopes: asked)
        _ = await signInFailure { try await step.code?.submit("1") }
        #expect(server.form(2)["scope"] == sent)
    }

    @Test func headers() async throws {
        let server = ScriptedTransport([.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))])
        _ = try await Fjordshop.client(server).signUp(username: Fjordshop.mira)
        let headers = try #require(server.calls.first?.headers)
        #expect(headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(headers["Accept"] == "application/json")
        #expect(headers["return-client-request-id"] == "true")
        #expect(headers["x-client-SKU"] == "nativeauth.swift")
        #expect(UUID(uuidString: headers["client-request-id"] ?? "") != nil)
        #expect(server.calls.allSatisfy { $0.method == "POST" })
    }

    /// All calls of one conversation carry one id; the next conversation has another.
    @Test func correlationIDBelongsToTheConversation() async throws {
        let server = ScriptedTransport([
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .ok(Said.token("CT3")), .ok(Issuer.shared.tokens()),
            .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")),
        ])
        let client = try Fjordshop.client(server)
        let code = try #require(try await client.signUp(username: Fjordshop.mira).code)
        _ = try await code.submit("1").completion?.signIn()
        _ = try await client.signIn(username: Fjordshop.mira)
        let ids = server.calls.map { $0.headers["client-request-id"] ?? "" }
        #expect(Set(ids[..<4]).count == 1)
        #expect(Set(ids[4...]).count == 1)
        #expect(ids[0] != ids[4])
    }

    /// Nothing is sent for what cannot be right.
    @Test func emptyValuesAreRefusedHere() async throws {
        let server = ScriptedTransport([])
        let client = try Fjordshop.client(server)
        #expect(await signUpFailure { try await client.signUp(username: "") }?.error.reason == .invalidUsername)
        #expect(await signInFailure { try await client.signIn(username: "") }?.error.reason == .invalidUsername)
        let empty = await signUpFailure {
            try await client.signUp(username: "a@b.example", password: "")
        }
        #expect(empty?.error.reason == .invalidPassword(.empty))
        let none = await signInFailure {
            try await client.signIn(username: "a@b.example", password: "")
        }
        #expect(none?.error.reason == .invalidCredentials)
        #expect(server.calls.isEmpty)
    }
}
