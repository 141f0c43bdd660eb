// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// The steps of a sign-in.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct SignInStepTests {
    private nonisolated static let factor = ScriptedTransport.Line.refused(Said.multiFactorRequired("CT7"))
    private nonisolated static let registration = ScriptedTransport.Line.refused(Said.registrationRequired("CT7"))

    /// What follows a right password or code, and what is the same for a wrong one.
    nonisolated static let rows: [Row] = [
        Row("right", .tokens, tells: .done("onSignInCompleted", [Fjordshop.mira])),
        Row(
            "a second factor", factor, .ok(Said.methods("CT8")),
            tells: .done("onSignInAwaitingMFA", Script.multiFactorMethods), .other("CT8", at: "/oauth2/v2.0/challenge")),
        Row(
            "a registration", registration, .ok(Said.registrable("CT8")),
            tells: .done("onSignInStrongAuthMethodRegistration", Script.registrable),
            .other("CT8", at: "/register/v1.0/challenge")),
        Row("methods refused", factor, .no("invalid_request", nil, 55000), tells: .server(codes: 55000)),
        Row("methods in a browser", factor, .browser, tells: .browser),
        Row("no methods", factor, .ok(#"{"continuation_token":"CT8","methods":[]}"#), tells: .badBody),
        Row("contacts refused", registration, .no("expired_token", nil, 55112), tells: .server(codes: 55112)),
        Row("contacts in a browser", registration, .browser, tells: .browser),
        Row("no contacts", registration, .ok(#"{"continuation_token":"CT8"}"#), tells: .badBody),
        Row(
            "methods lost", factor, .offline, .offline, tells: .badBody, .other("CT7", at: "/oauth2/v2.0/introspect")),
        Row("methods late", factor, .down, .down, tells: .badBody, .other("CT7", at: "/oauth2/v2.0/introspect")),
        Row(
            "contacts lost", registration, .offline, .offline, tells: .badBody,
            .other("CT7", at: "/register/v1.0/introspect")),
        Row(
            "contacts late", registration, .down, .down, tells: .badBody,
            .other("CT7", at: "/register/v1.0/introspect")),

        Row(
            "a second factor without a token", .no("invalid_grant", "mfa_required", 50076), tells: .badBody,
            .other("CT2")),
        Row("nobody", .no("invalid_grant", nil, 50034), tells: .server(codes: 50034), .other("CT2")),
        Row("nobody by name", .no("user_not_found", nil, 1), tells: .server(codes: 1), .other("CT2")),
        Row("a bad request", .no("invalid_request", nil, 55200), tells: .server(codes: 55200), .other("CT2")),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003), .other("CT2")),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7), .other("CT2")),
        Row("a browser", .browser, tells: .browser, .other("CT2")),
        Row("no network", .offline, .offline, tells: .badBody, .other("CT2")),
        Row("tokens of no use", .ok(#"{"token_type":"Bearer"}"#), tells: .general, .other("CT2")),
        Row(
            "tokens of a stranger", .ok(Issuer.shared.tokens(id: Issuer.stranger.idToken())), tells: .general,
            .other("CT2")),
    ]

    // MARK: The password

    nonisolated static let passwordRows: [Row] = [
        Row(
            "wrong", .no("invalid_grant", nil, 50126, 1),
            tells: .says("Invalid password", "isInvalidPassword", codes: 50126, 1, uri: Script.uri), .other("CT2")),
        Row(
            "wrong in second place", .no("invalid_grant", nil, 1, 50126), tells: .server(codes: 1, 50126), .other("CT2")
        ),
        Row("some number", .no("invalid_grant", nil, 50053), tells: .server(codes: 50053), .other("CT2")),
        Row("a code", .no("invalid_grant", "invalid_oob_value", 50181), tells: .server(codes: 50181), .other("CT2")),
    ]

    @Test(arguments: rows + passwordRows)
    func password(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.signInPassword()
        try await scene.check(row, on: state, token: "CT2", errorMethod: "onSignInPasswordRequiredError") {
            state.submitPassword(password: "p", delegate: $0)
        }
    }

    // MARK: The code

    nonisolated static let codeRows: [Row] = [
        Row(
            "wrong", .no("invalid_grant", "invalid_oob_value", 50181), tells: .server("isInvalidCode", codes: 50181),
            .other("CT2")),
        Row("a wrong password", .no("invalid_grant", nil, 50126), tells: .server(codes: 50126), .other("CT2")),
        Row(
            "some number", .no("invalid_grant", nil, 50053), tells: .says("General error", uri: Script.uri),
            .other("CT2")),
        Row("no number", .no("invalid_grant"), tells: .says("General error", uri: Script.uri), .other("CT2")),
        Row(
            "a refinement that nobody knows", .no("invalid_grant", "tea_time", 7),
            tells: .says("General error", uri: Script.uri), .other("CT2")),
    ]

    @Test(arguments: rows + codeRows)
    func code(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.signInCode()
        try await scene.check(row, on: state, token: "CT2", errorMethod: "onSignInVerifyCodeError") {
            state.submitCode(code: "1", delegate: $0)
        }
    }

    // MARK: Another code

    nonisolated static let resendRows: [Row] = [
        Row(
            "sent", .ok(Said.codeSent("CT3")), tells: .done("onSignInResendCodeCodeRequired", Script.codeSent),
            .other("CT3")),
        Row("a password", .ok(Said.passwordWanted("CT3")), tells: .general),
        Row("refused", .no("invalid_request", nil, 701_014), tells: .server(codes: 701_014), .other("CT2")),
        Row("refused oddly", .no("tea_time", nil, 7), tells: .server(codes: 7), .other("CT2")),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003), .other("CT2")),
        Row("a browser", .browser, tells: .browser, .other("CT2")),
        Row("no network", .offline, .offline, tells: .badBody, .other("CT2")),
        Row("a bad answer", .ok("{"), tells: .badBody, .other("CT2")),
        Row("no type", .ok(Said.token("CT3")), tells: .badChallenge, .other("CT2")),
        Row(
            "blocked", .no("access_denied", "provider_blocked_by_rep", 550_024),
            tells: .says(
                "The server blocked the strong authentication method. Try contacting customer support to seek "
                    + "assistance. More information: AADSTS1: The server's words.", codes: 550_024, uri: Script.uri),
            .other("CT2")),
    ]

    @Test(arguments: resendRows)
    func resend(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.signInCode()
        try await scene.check(row, on: state, token: "CT2", errorMethod: "onSignInResendCodeError") {
            state.resendCode(delegate: $0)
        }
    }

    /// The name goes with a password, and not with a code.
    @Test func whatIsSent() async throws {
        let scene = try AppScene()
        let code = try await scene.signInCode()
        _ = try await scene.hear([.refused(Said.wrongCode)]) { code.submitCode(code: "1", delegate: $0) }
        #expect(
            scene.server.form(2) == [
                "client_id": Fjordshop.clientID, "continuation_token": "CT2", "grant_type": "oob", "oob": "1",
                "scope": "openid profile offline_access", "client_info": "true",
            ])
    }
}
