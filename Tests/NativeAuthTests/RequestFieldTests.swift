// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import TenantTesting
import Testing

/// Which fields each call sends, no more and no fewer, and what the configuration changes in them.
struct RequestFieldTests {
    static let table: [(Endpoint, String, Set<String>)] = [
        (.signUpStart, "/signup/v1.0/start", ["client_id", "username", "challenge_type", "capabilities"]),
        (.signUpChallenge, "/signup/v1.0/challenge", ["client_id", "continuation_token", "challenge_type"]),
        (.signUpContinue, "/signup/v1.0/continue", ["client_id", "continuation_token", "grant_type", "oob"]),
        (.initiate, "/oauth2/v2.0/initiate", ["client_id", "username", "challenge_type", "capabilities"]),
        (.challenge, "/oauth2/v2.0/challenge", ["client_id", "continuation_token", "challenge_type"]),
        (
            .token, "/oauth2/v2.0/token",
            [
                "client_id", "continuation_token", "grant_type", "username", "password", "scope", "client_info",
                "challenge_type",
            ]
        ),
        (.introspect, "/oauth2/v2.0/introspect", ["client_id", "continuation_token"]),
        (.factorChallenge, "/oauth2/v2.0/challenge", ["client_id", "continuation_token", "challenge_type", "id"]),
        (
            .factorToken, "/oauth2/v2.0/token",
            ["client_id", "continuation_token", "grant_type", "oob", "scope", "client_info"]
        ),
        (.registerIntrospect, "/register/v1.0/introspect", ["client_id", "continuation_token"]),
        (
            .registerChallenge, "/register/v1.0/challenge",
            ["client_id", "continuation_token", "challenge_type", "challenge_target", "challenge_channel"]
        ),
        (.registerContinue, "/register/v1.0/continue", ["client_id", "continuation_token", "grant_type", "oob"]),
        (
            .registerToken, "/oauth2/v2.0/token",
            ["client_id", "continuation_token", "grant_type", "scope", "client_info", "challenge_type"]
        ),
        (.resetStart, "/resetpassword/v1.0/start", ["client_id", "username", "challenge_type", "capabilities"]),
        (.resetChallenge, "/resetpassword/v1.0/challenge", ["client_id", "continuation_token", "challenge_type"]),
        (.resetContinue, "/resetpassword/v1.0/continue", ["client_id", "continuation_token", "grant_type", "oob"]),
        (.resetSubmit, "/resetpassword/v1.0/submit", ["client_id", "continuation_token", "new_password"]),
        (.resetPoll, "/resetpassword/v1.0/poll_completion", ["client_id", "continuation_token"]),
    ]

    @Test(arguments: table)
    func fields(_ endpoint: Endpoint, _ path: String, _ names: Set<String>) async throws {
        let (_, server) = try await endpoint.ending([.refused(Said.expired)])
        #expect(server.calls.last?.url == Fjordshop.authority + path)
        #expect(Set(server.form(server.calls.count - 1).keys) == names)
    }

    @Test func tableIsComplete() {
        #expect(Self.table.map(\.0) == Endpoint.allCases)
    }

    static let capabilities: [(Capabilities, String?)] = [
        ([.multiFactor, .registration], "mfa_required registration_required"), (.multiFactor, "mfa_required"),
        (.registration, "registration_required"), ([], nil),
    ]

    @Test(arguments: capabilities)
    func capabilitiesAreSentWhereAFlowBegins(_ set: Capabilities, _ words: String?) async throws {
        let server = ScriptedTransport(Array(repeating: .refused(Said.expired), count: 3))
        let client = try Fjordshop.client(server, capabilities: set)
        _ = await signUpFailure { try await client.signUp(username: "a") }
        _ = await signInFailure { try await client.signIn(username: "a") }
        _ = await resetFailure { try await client.resetPassword(username: "a") }
        #expect((0...2).map { server.form($0)["capabilities"] } == [words, words, words])
    }

    @Test func bothCapabilitiesAreTheDefault() throws {
        let configuration = Configuration(authority: try Authority(subdomain: "fjordshop"), clientID: "1")
        #expect(configuration.capabilities == [.multiFactor, .registration])
    }

    static let challengeTypes: [(ChallengeTypes, String)] = [
        (.code, "oob redirect"), (.password, "password redirect"), ([.code, .password], "oob password redirect"),
        ([], "redirect"),
    ]

    @Test(arguments: challengeTypes)
    func challengeTypesAreInTheirOrder(_ types: ChallengeTypes, _ words: String) async throws {
        let server = ScriptedTransport([.ok(Said.token("CT1")), .refused(Said.expired)])
        let client = try Fjordshop.client(server, types: types)
        _ = await resetFailure { try await client.resetPassword(username: "a") }
        #expect((0...1).map { server.form($0)["challenge_type"] } == [words, words])
    }

    /// Claims go with every grant that ends in tokens.
    @Test func claimsGoWithEveryGrant() async throws {
        let claims = ClaimsRequest(idToken: ["email": .voluntary])
        let text = #"{"id_token":{"email":null}}"#
        let tokens = ScriptedTransport.Line.ok(Issuer.shared.tokens())
        let server = ScriptedTransport(
            [.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), tokens]
                + [.ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), tokens]
                + [.ok(Said.token("CT1")), .ok(Said.codeSent("CT2")), .ok(Said.token("CT3")), tokens])
        let client = try Fjordshop.client(server)
        _ = try await client.signIn(username: "a", password: "p", claims: claims)
        _ = try await client.signIn(username: "a", claims: claims).code?.submit("1")
        _ = try await client.signUp(username: "a").code?.submit("1").completion?.signIn(claims: claims)
        #expect(server.isOver)
        #expect([2, 5, 9].map { server.form($0)["claims"] } == [text, text, text])
        for call in [0, 1, 3, 4, 6, 7, 8] { #expect(server.form(call)["claims"] == nil) }
    }
}
