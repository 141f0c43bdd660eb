// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// The registration of a strong method.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct RegistrationTests {
    private nonisolated static let preverified = ScriptedTransport.Line.ok(Said.preverified("CT11"))
    private nonisolated static let noted = ScriptedTransport.Line.ok(Said.token("CT12"))
    private nonisolated static let blocked =
        "The server blocked the verification contact provided. Try using another email or phone number, or select an "
        + "alternative authentication method. More information: "
    private nonisolated static let again =
        "Unexpected result received: strong authentication method registration required."

    // MARK: The contact

    /// - Parameter token: What goes with a submission after an error.
    private nonisolated static func contactRows(_ token: String) -> [Row] {
        [
            Row(
                "sent", .ok(Said.contactCodeSent("CT11")),
                tells: .done("onRegisterStrongAuthVerificationRequired", ["+4790000007", "sms", "8"]), .other("CT11")),
            Row(
                "none", .no("invalid_request", nil, 1, 901_001), tells: .server("isInvalidInput", codes: 1, 901_001),
                .other(token)),
            Row(
                "blocked", .no("access_denied", "provider_blocked_by_rep", 550_024),
                tells: .says(blocked + Script.words, "isVerificationContactBlocked", codes: 550_024, uri: Script.uri),
                .other(token)),
            Row(
                "blocked without a word", .refused(#"{"error":"access_denied","suberror":"provider_blocked_by_rep"}"#),
                tells: .says(blocked, "isVerificationContactBlocked"), .other(token)),
            Row("a browser", .browser, tells: .browser),
            Row("refused", .no("invalid_request", nil, 55000), tells: .server(codes: 55000), .other(token)),
            Row("denied", .no("access_denied", nil, 1), tells: .server(codes: 1), .other(token)),
            Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003), .other(token)),
            Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7), .other(token)),
            Row(
                "another type", .ok(#"{"challenge_type":"pigeon","continuation_token":"CT11"}"#), tells: .badChallenge,
                .other(token)),
            Row("a password", .ok(Said.passwordWanted("CT11")), tells: .badChallenge, .other(token)),
            Row("a label in place of the target", .ok(Said.codeSent("CT11")), tells: .badBody, .other(token)),
            Row("no network", .offline, .offline, tells: .badBody, .other(token)),
        ] + provenRows
    }

    private nonisolated static let provenRows: [Row] = [
        Row("proven", preverified, noted, .tokens, tells: .done("onSignInCompleted", [Fjordshop.mira])),
        Row("proven, not noted", preverified, .no("invalid_grant", nil, 55000), tells: .server(codes: 55000)),
        Row("proven, a browser", preverified, .browser, tells: .says(Script.reason)),
        Row("proven, no tokens", preverified, noted, .no("invalid_grant", nil, 50126), tells: .server(codes: 50126)),
        Row("proven, a browser for tokens", preverified, noted, .browser, tells: .says(Script.reason)),
        Row("proven, a factor", preverified, noted, .refused(Said.multiFactorRequired("CT13")), tells: .general),
        Row(
            "proven, a registration", preverified, noted, .refused(Said.registrationRequired("CT13")),
            tells: .says(again)),
        Row("proven, tokens of no use", preverified, noted, .ok("{}"), tells: .general),
        Row(
            "proven, not heard", preverified, .offline, .offline, tells: .badBody,
            .other("CT11", at: "/register/v1.0/continue")),
        Row(
            "proven, tokens lost", preverified, noted, .down, .down, tells: .badBody,
            .other("CT12", at: "/oauth2/v2.0/token")),
    ]

    @Test(arguments: contactRows("CT8"))
    func firstContact(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.registration()
        try await scene.check(row, on: state, token: "CT8", errorMethod: "onRegisterStrongAuthChallengeError") {
            state.challengeAuthMethod(parameters: scene.contact(), delegate: $0)
        }
    }

    @Test(arguments: contactRows("CT9"))
    func nextContact(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.registrationCode()
        try await scene.check(row, on: state, token: "CT9", errorMethod: "onRegisterStrongAuthChallengeError") {
            state.challengeAuthMethod(parameters: scene.contact(), delegate: $0)
        }
    }

    // MARK: The code

    nonisolated static let codeRows: [Row] = [
        Row("right", noted, .tokens, tells: .done("onSignInCompleted", [Fjordshop.mira])),
        Row(
            "wrong", .no("invalid_grant", "invalid_oob_value", 50181),
            tells: .server("isInvalidChallenge", codes: 50181), .other("CT9", at: "/register/v1.0/continue")),
        Row("a browser", .browser, tells: .browser),
        Row("refused", .no("invalid_grant", nil, 55000), tells: .server(codes: 55000), .other("CT9")),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003), .other("CT9")),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7), .other("CT9")),
        Row("a bad answer", .ok("{}"), tells: .badBody, .other("CT9")),
        Row("no network", .offline, .offline, tells: .badBody, .other("CT9")),
        Row("no tokens", noted, .no("invalid_grant", nil, 50126), tells: .server(codes: 50126)),
        Row("a factor", noted, .refused(Said.multiFactorRequired("CT13")), tells: .general),
        Row("a registration", noted, .refused(Said.registrationRequired("CT13")), tells: .says(again)),
        Row("a browser for tokens", noted, .browser, tells: .says(Script.reason)),
        Row("tokens of no use", noted, .ok("{}"), tells: .general),
        Row("tokens of a stranger", noted, .ok(Issuer.shared.tokens(id: Issuer.stranger.idToken())), tells: .general),
        Row(
            "tokens lost", noted, .offline, .offline, tells: .badBody, .other("CT12", at: "/oauth2/v2.0/token")),
    ]

    @Test(arguments: codeRows)
    func code(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.registrationCode()
        try await scene.check(row, on: state, token: "CT9", errorMethod: "onRegisterStrongAuthSubmitChallengeError") {
            state.submitChallenge(challenge: "1", delegate: $0)
        }
    }

    /// What the sign-in asked for is asked for at the end. Microsoft's SDK forgets it here.
    @Test func scopesAndClaimsArePassedOn() async throws {
        let scene = try AppScene()
        let parameters = scene.signIn()
        parameters.scopes = ["api://a/Read"]
        parameters.claimsRequest = MSALClaimsRequest(jsonString: #"{"access_token":{"acrs":null}}"#, error: nil)
        let code = try await scene.signInCode(parameters)
        let wanted: [ScriptedTransport.Line] = [
            .refused(Said.registrationRequired("CT7")), .ok(Said.registrable("CT8")),
        ]
        let heard = try await scene.hear(wanted) { code.submitCode(code: "1", delegate: $0) }
        let state = try #require(heard.state as? RegisterStrongAuthState)
        _ = try await scene.hear([Self.preverified, Self.noted, .tokens]) {
            state.challengeAuthMethod(parameters: scene.contact(), delegate: $0)
        }
        #expect(
            scene.server.form(5) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT11", "grant_type": "continuation_token",
            ])
        #expect(scene.server.form(6)["scope"] == "api://a/Read openid profile offline_access")
        #expect(scene.server.form(6)["claims"] == #"{"access_token":{"acrs":null}}"#)
    }

    @Test func whatIsSent() async throws {
        let scene = try AppScene()
        let state = try await scene.registrationCode()
        _ = try await scene.hear([Self.noted, .tokens]) { state.submitChallenge(challenge: "1", delegate: $0) }
        #expect(scene.server.form(3) == ["client_id": Fjordshop.clientID, "continuation_token": "CT7"])
        #expect(
            scene.server.form(4) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT8", "challenge_type": "oob",
                "challenge_channel": "sms", "challenge_target": "+4790000007",
            ])
        #expect(
            scene.server.form(5) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT9", "grant_type": "oob", "oob": "1",
            ])
        // The account needs no name any more.
        #expect(
            scene.server.form(6) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT12", "grant_type": "continuation_token",
                "scope": "openid profile offline_access", "client_info": "true",
                "challenge_type": "oob password redirect",
            ])
    }
}
