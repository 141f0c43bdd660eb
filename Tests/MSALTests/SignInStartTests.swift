// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// How a sign-in begins, and how far it goes at once.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct SignInStartTests {
    private nonisolated static let begun = ScriptedTransport.Line.ok(Said.token("CT1"))
    private nonisolated static let password = ScriptedTransport.Line.ok(Said.passwordWanted("CT2"))
    private nonisolated static let token = "/oauth2/v2.0/token"
    private nonisolated static let reset =
        "User password change is required, which can't be fulfilled as part of this flow. Please reset the password "
        + "and perform a new sign in operation. More information: AADSTS1: The server's words."
    private nonisolated static let blocked =
        "The server blocked the strong authentication method. Try contacting customer support to seek assistance. "
        + "More information: AADSTS1: The server's words."

    nonisolated static let rows: [Row] = [
        Row("a password", begun, password, tells: .done("onSignInPasswordRequired", []), .other("CT2", at: token)),
        Row(
            "a code", begun, .ok(Said.codeSent("CT2")), tells: .done("onSignInCodeRequired", Script.codeSent),
            .other("CT2", at: token)),
        Row("nobody", .no("user_not_found", nil, 50034), tells: .server("isUserNotFound", codes: 50034)),
        Row("another app", .no("unauthorized_client", nil, 700_016), tells: .server(codes: 700_016)),
        Row("other proofs", .no("unsupported_challenge_type", nil, 901_007), tells: .server(codes: 901_007)),
        Row("a bad request", .no("invalid_request", nil, 90100), tells: .server(codes: 90100)),
        Row(
            "no address",
            .no("invalid_request", nil, 90100, words: "AADSTS90100: username parameter is empty or not valid"),
            tells: .says(
                "AADSTS90100: username parameter is empty or not valid", codes: 90100, uri: Script.uri)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("a browser", .browser, tells: .browser),
        Row("a browser as challenge", begun, .browser, tells: .browser),
        Row("a challenge refused", begun, .no("invalid_grant", nil, 55000), tells: .server(codes: 55000)),
        Row("nobody at the challenge", begun, .no("user_not_found", nil, 50034), tells: .server(codes: 50034)),
        Row(
            "a method blocked", begun, .no("access_denied", "provider_blocked_by_rep", 550_024),
            tells: .says(blocked, codes: 550_024, uri: Script.uri)),
    ]

    @Test(arguments: rows)
    func outcome(_ row: Row) async throws {
        let scene = try AppScene()
        try await scene.check(row, errorMethod: "onSignInStartError") {
            scene.app.signIn(parameters: scene.signIn(), delegate: $0)
        }
    }

    nonisolated static let passwordRows: [Row] = [
        Row("right", begun, password, .tokens, tells: .done("onSignInCompleted", [Fjordshop.mira])),
        Row(
            "not needed", begun, .ok(Said.codeSent("CT2")), tells: .done("onSignInCodeRequired", Script.codeSent),
            .other("CT2", at: token)),
        Row(
            "a second factor", begun, password, .refused(Said.multiFactorRequired("CT7")), .ok(Said.methods("CT8")),
            tells: .done("onSignInAwaitingMFA", Script.multiFactorMethods), .other("CT8", at: "/oauth2/v2.0/challenge")),
        Row(
            "a registration", begun, password, .refused(Said.registrationRequired("CT7")), .ok(Said.registrable("CT8")),
            tells: .done("onSignInStrongAuthMethodRegistration", Script.registrable),
            .other("CT8", at: "/register/v1.0/challenge")),
        Row(
            "a second factor without a token", begun, password, .no("invalid_grant", "mfa_required", 50076),
            tells: .badBody),
        Row(
            "a registration without a token", begun, password, .no("invalid_grant", "registration_required", 50072),
            tells: .badBody),
        Row(
            "methods refused", begun, password, .refused(Said.multiFactorRequired("CT7")),
            .no("invalid_request", nil, 55000), tells: .server(codes: 55000)),
        Row(
            "methods in a browser", begun, password, .refused(Said.multiFactorRequired("CT7")), .browser,
            tells: .browser),
        Row(
            "contacts refused", begun, password, .refused(Said.registrationRequired("CT7")),
            .no("expired_token", nil, 55112), tells: .server(codes: 55112)),
        Row(
            "contacts in a browser", begun, password, .refused(Said.registrationRequired("CT7")), .browser,
            tells: .browser),
        Row("a browser", begun, password, .browser, tells: .browser),

        Row(
            "wrong", begun, password, .no("invalid_grant", nil, 50126),
            tells: .server("isInvalidCredentials", codes: 50126)),
        Row(
            "wrong in second place", begun, password, .no("invalid_grant", nil, 1, 50126),
            tells: .server(codes: 1, 50126)),
        Row(
            "nobody", begun, password, .no("invalid_grant", nil, 50034), tells: .server("isUserNotFound", codes: 50034)),
        Row(
            "nobody by name", begun, password, .no("user_not_found", nil, 1), tells: .server("isUserNotFound", codes: 1)
        ),
        Row("some number", begun, password, .no("invalid_grant", nil, 50053), tells: .server(codes: 50053)),
        Row("no number", begun, password, .no("invalid_grant"), tells: .server()),
        Row(
            "a wrong code", begun, password, .no("invalid_grant", "invalid_oob_value", 50181),
            tells: .server(codes: 50181)),
        Row(
            "to be changed", begun, password, .no("invalid_request", nil, 1, 50142),
            tells: .says(reset, codes: 1, 50142, uri: Script.uri)),
        Row("too late", begun, password, .no("expired_token", nil, 552_003), tells: .server(codes: 552_003)),
        Row("a wrong scope", begun, password, .no("invalid_scope", nil, 70011), tells: .server(codes: 70011)),
        Row("slowly", begun, password, .no("slow_down", nil, 1), tells: .server(codes: 1)),
        Row("tokens of no use", begun, password, .ok(#"{"token_type":"Bearer"}"#), tells: .general),
        Row(
            "tokens of another kind", begun, password, .ok(#"{"token_type":"pop","access_token":"a"}"#), tells: .general
        ),
    ]

    @Test(arguments: passwordRows)
    func withAPassword(_ row: Row) async throws {
        let scene = try AppScene()
        try await scene.check(row, errorMethod: "onSignInStartError") {
            scene.app.signIn(parameters: scene.signIn(password: "p"), delegate: $0)
        }
    }

    @Test func whatIsSent() async throws {
        let scene = try AppScene()
        _ = try await scene.account(scopes: ["api://a/Read", "openid"])
        #expect(
            scene.server.form(0) == [
                "client_id": Fjordshop.clientID, "username": Fjordshop.mira, "challenge_type": "oob password redirect",
                "capabilities": "mfa_required registration_required",
            ])
        #expect(
            scene.server.form(2) == [
                "client_id": Fjordshop.clientID, "username": Fjordshop.mira, "continuation_token": "CT2",
                "grant_type": "password", "password": "p", "scope": "api://a/Read openid profile offline_access",
                "client_info": "true", "challenge_type": "oob password redirect",
            ])
    }
}
