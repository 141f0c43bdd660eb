// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// The reset of a password.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ResetPasswordTests {
    private nonisolated static let begun = ScriptedTransport.Line.ok(Said.token("CT1"))
    private nonisolated static let submitted = ScriptedTransport.Line.ok(Said.submitted("CT4"))

    nonisolated static let startRows: [Row] = [
        Row(
            "a code", begun, .ok(Said.codeSent("CT2")), tells: .done("onResetPasswordCodeRequired", Script.codeSent),
            .other("CT2", at: "/resetpassword/v1.0/continue")),
        Row("a password", begun, .ok(Said.passwordWanted("CT2")), tells: .badChallenge),
        Row("nothing", begun, .ok(Said.token("CT2")), tells: .badChallenge),
        Row("a browser", .browser, tells: .browser),
        Row("a browser as challenge", begun, .browser, tells: .browser),
        Row("nobody", .no("user_not_found", nil, 50034), tells: .server("isUserNotFound", codes: 50034)),
        Row(
            "no password", .no("invalid_request", nil, 500_222),
            tells: .server("isUserDoesNotHavePassword", codes: 500_222)),
        Row("no password in second place", .no("invalid_request", nil, 1, 500_222), tells: .server(codes: 1, 500_222)),
        Row(
            "no address", .no("invalid_request", nil, 90100, words: "username parameter is empty or not valid"),
            tells: .says("username parameter is empty or not valid", codes: 90100, uri: Script.uri)),
        Row("another app", .no("unauthorized_client", nil, 700_016), tells: .server(codes: 700_016)),
        Row("other proofs", .no("unsupported_challenge_type", nil, 901_007), tells: .server(codes: 901_007)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("no challenge", begun, .no("invalid_request", nil, 500_222), tells: .server(codes: 500_222)),
        Row("nobody at the challenge", begun, .no("user_not_found", nil, 50034), tells: .server(codes: 50034)),
    ]

    @Test(arguments: startRows)
    func start(_ row: Row) async throws {
        let scene = try AppScene()
        try await scene.check(row, errorMethod: "onResetPasswordStartError") {
            scene.app.resetPassword(parameters: scene.reset(), delegate: $0)
        }
    }

    nonisolated static let codeRows: [Row] = [
        Row(
            "right", .ok(Said.codeRight("CT3")), tells: .done("onPasswordRequired", []),
            .other("CT3", at: "/resetpassword/v1.0/submit")),
        Row(
            "wrong", .no("invalid_grant", "invalid_oob_value", 50181), tells: .server("isInvalidCode", codes: 50181),
            .other("CT2")),
        Row(
            "verification", .no("verification_required", nil, 1),
            tells: .says("General error", codes: 1, uri: Script.uri)),
        Row("refused", .no("invalid_grant", nil, 55000), tells: .server(codes: 55000)),
        Row("a bad password", .no("invalid_grant", "password_banned", 1), tells: .server(codes: 1)),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("without a token", .ok("{}"), tells: .badBody),
        Row("no network", .offline, .offline, tells: .badBody),
        Row("a browser", .browser, tells: .browser),
    ]

    @Test(arguments: codeRows)
    func code(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.resetCode()
        try await scene.check(row, on: state, token: "CT2", errorMethod: "onResetPasswordVerifyCodeError") {
            state.submitCode(code: "1", delegate: $0)
        }
    }

    nonisolated static let resendRows: [Row] = [
        Row(
            "sent", .ok(Said.codeSent("CT3")), tells: .done("onResetPasswordResendCodeRequired", Script.codeSent),
            .other("CT3")),
        Row("refused", .no("invalid_request", nil, 701_014), tells: .server(codes: 701_014)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("a password", .ok(Said.passwordWanted("CT3")), tells: .badChallenge),
        Row("a browser", .browser, tells: .browser),
        Row("no network", .offline, .offline, tells: .badBody),
    ]

    @Test(arguments: resendRows)
    func resend(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.resetCode()
        try await scene.check(row, on: state, token: "CT2", errorMethod: "onResetPasswordResendCodeError") {
            state.resendCode(delegate: $0)
        }
    }

    nonisolated static let passwordRows: [Row] = [
        Row(
            "set", submitted, .ok(Said.succeeded("CT5")), tells: .done("onResetPasswordCompleted", []),
            .other("CT5", at: "/oauth2/v2.0/token")),
        Row(
            "set in the end", submitted, .ok(Said.notStarted), .ok(Said.inProgress), .ok(Said.inProgress),
            .ok(Said.inProgress), .ok(Said.inProgress), .ok(Said.succeeded("CT5")),
            tells: .done("onResetPasswordCompleted", []), .other("CT5")),
        Row("failed", submitted, .ok(Said.inProgress), .ok(Said.failed), tells: .general),
        Row(
            "no end in sight", submitted, .ok(Said.notStarted), .ok(Said.inProgress), .ok(Said.inProgress),
            .ok(Said.inProgress), .ok(Said.inProgress), .ok(Said.inProgress), tells: .general),
        Row("a status that nobody knows", submitted, .ok(#"{"status":"paused"}"#), tells: .badBody),
        Row("no status", submitted, .ok("{}"), tells: .badBody),
        Row("refused", .no("invalid_request", nil, 55000), tells: .server(codes: 55000)),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003)),
        Row("an odd refinement", .no("invalid_grant", "invalid_oob_value", 1), tells: .server(codes: 1)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("a browser", .browser, tells: .browser),
        Row("no network", .offline, .offline, tells: .badBody),
        Row("gone", submitted, .no("user_not_found", nil, 50034), tells: .server(codes: 50034)),
        Row("a browser at last", submitted, .browser, tells: .browser),
        Row("too late at last", submitted, .no("expired_token", nil, 552_003), tells: .server(codes: 552_003)),
    ]

    @Test(arguments: passwordRows)
    func password(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.newPassword()
        try await scene.check(row, on: state, token: "CT3", errorMethod: "onResetPasswordRequiredError") {
            state.submitPassword(password: "p", delegate: $0)
        }
    }

    @Test(arguments: Script.passwordProblems)
    func passwordProblem(_ suberror: String) async throws {
        let problem = ScriptedTransport.Line.no("invalid_grant", suberror, 1)
        let told = Told.server("isInvalidPassword", codes: 1)
        try await password(Row(suberror, problem, tells: told, .other("CT3")))
        try await password(Row(suberror, Self.submitted, problem, tells: told, .other("CT4")))
    }

    /// Five looks after the first one, as far apart as the tenant asks for, all with the same token.
    @Test func looks() async throws {
        let scene = try AppScene()
        let state = try await scene.newPassword()
        let wait = ScriptedTransport.Line.ok(Said.inProgress)
        _ = try await scene.hear([Self.submitted, wait, wait, wait, wait, wait, wait]) {
            state.submitPassword(password: "p", delegate: $0)
        }
        #expect(scene.clock.waits == Array(repeating: .seconds(2), count: 5))
        #expect((4...9).map { scene.server.form($0)["continuation_token"] } == Array(repeating: "CT4", count: 6))
    }
}
