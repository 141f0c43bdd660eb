// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// A second factor.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct MultiFactorTests {
    private nonisolated static let blocked =
        "The server blocked the strong authentication method. Try contacting customer support to seek assistance. "
        + "More information: "

    /// - Parameter token: What goes with a submission after an error.
    private nonisolated static func challengeRows(_ token: String) -> [Row] {
        [
            Row(
                "sent", .ok(Said.codeSent("CT10")),
                tells: .done("onMFARequestChallengeVerificationRequired", Script.codeSent), .other("CT10")),
            Row("a password", .ok(Said.passwordWanted("CT10")), tells: .general),
            Row(
                "blocked", .no("access_denied", "provider_blocked_by_rep", 550_024),
                tells: .says(blocked + Script.words, "isAuthMethodBlocked", codes: 550_024, uri: Script.uri),
                .other(token)),
            Row(
                "blocked without a word", .refused(#"{"error":"access_denied","suberror":"provider_blocked_by_rep"}"#),
                tells: .says(blocked, "isAuthMethodBlocked"), .other(token)),
            Row("denied", .no("access_denied", nil, 1), tells: .server(codes: 1), .other(token)),
            Row("a browser", .browser, tells: .browser, .other(token)),
            Row("refused", .no("invalid_request", nil, 901_001), tells: .server(codes: 901_001), .other(token)),
            Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003), .other(token)),
            Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7), .other(token)),
            Row("a bad answer", .ok(#"{"challenge_type":"oob"}"#), tells: .badBody, .other(token)),
            Row("no type", .ok(Said.token("CT10")), tells: .badChallenge, .other(token)),
            Row("no network", .offline, .offline, tells: .badBody, .other(token)),
        ]
    }

    @Test(arguments: challengeRows("CT8"))
    func firstChallenge(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.awaitingMFA()
        try await scene.check(row, on: state, token: "CT8", errorMethod: "onMFARequestChallengeError") {
            state.requestChallenge(authMethod: scene.methods[1], delegate: $0)
        }
    }

    @Test(arguments: challengeRows("CT9"))
    func nextChallenge(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.mfaCode()
        try await scene.check(row, on: state, token: "CT9", errorMethod: "onMFARequestChallengeError") {
            state.requestChallenge(authMethod: scene.methods[1], delegate: $0)
        }
    }

    /// A state that a failed wish for a code leaves can have a code sent as well.
    @Test func failedWishCanBeRepeated() async throws {
        let scene = try AppScene()
        let awaiting = try await scene.awaitingMFA()
        let failed = try await scene.hear([.no("access_denied", "provider_blocked_by_rep", 550_024)]) {
            awaiting.requestChallenge(authMethod: scene.methods[1], delegate: $0)
        }
        let state = try #require(failed.state as? MFARequiredState)
        let sent = try await scene.hear([.ok(Said.codeSent("CT9"))]) {
            state.requestChallenge(authMethod: scene.methods[0], delegate: $0)
        }
        #expect(sent.method == "onMFARequestChallengeVerificationRequired")
        #expect(
            scene.server.form(5) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT8", "id": "c4b5a697",
                "challenge_type": "oob password redirect",
            ])
    }

    nonisolated static let codeRows: [Row] = [
        Row("right", .tokens, tells: .done("onSignInCompleted", [Fjordshop.mira])),
        Row(
            "wrong", .no("invalid_grant", "invalid_oob_value", 50181),
            tells: .server("isInvalidChallenge", codes: 50181), .other("CT9")),
        Row("a factor more", .refused(Said.multiFactorRequired("CT10")), tells: .general),
        Row("a registration", .refused(Said.registrationRequired("CT10")), tells: .general),
        Row("a browser", .browser, tells: .browser, .other("CT9")),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003), .other("CT9")),
        Row(
            "some number", .no("invalid_grant", nil, 50053), tells: .says("General error", uri: Script.uri),
            .other("CT9")),
        Row("a wrong password", .no("invalid_grant", nil, 50126), tells: .server(codes: 50126), .other("CT9")),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7), .other("CT9")),
        Row("no network", .offline, .offline, tells: .badBody, .other("CT9")),
        Row("tokens of no use", .ok("{}"), tells: .general, .other("CT9")),
    ]

    @Test(arguments: codeRows)
    func code(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.mfaCode()
        try await scene.check(row, on: state, token: "CT9", errorMethod: "onMFASubmitChallengeError") {
            state.submitChallenge(challenge: "1", delegate: $0)
        }
    }

    /// What the sign-in asked for is asked for at the end.
    @Test func whatIsSent() async throws {
        let scene = try AppScene()
        let parameters = scene.signIn(password: "p")
        parameters.scopes = ["api://a/Read"]
        parameters.claimsRequest = MSALClaimsRequest(jsonString: #"{"access_token":{"acrs":null}}"#, error: nil)
        let said: [ScriptedTransport.Line] = [
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .refused(Said.multiFactorRequired("CT7")),
            .ok(Said.methods("CT8")),
        ]
        let begun = try await scene.hear(said) { scene.app.signIn(parameters: parameters, delegate: $0) }
        let awaiting = try #require(begun.state as? AwaitingMFAState)
        let sent = try await scene.hear([.ok(Said.codeSent("CT9"))]) {
            awaiting.requestChallenge(authMethod: scene.methods[0], delegate: $0)
        }
        let state = try #require(sent.state as? MFARequiredState)
        _ = try await scene.hear([.tokens]) { state.submitChallenge(challenge: "1", delegate: $0) }
        #expect(scene.server.form(3) == ["client_id": Fjordshop.clientID, "continuation_token": "CT7"])
        #expect(
            scene.server.form(5) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT9", "grant_type": "mfa_oob", "oob": "1",
                "scope": "api://a/Read openid profile offline_access", "client_info": "true",
                "claims": #"{"access_token":{"acrs":null}}"#,
            ])
    }
}
