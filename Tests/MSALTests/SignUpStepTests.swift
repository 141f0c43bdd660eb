// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// The steps of a sign-up.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct SignUpStepTests {
    private nonisolated static let wanted = ScriptedTransport.Line.refused(Said.credentialRequired("CT3"))
    private nonisolated static let challenge = "/signup/v1.0/challenge"

    // MARK: The code

    nonisolated static let codeRows: [Row] = [
        Row(
            "right", .ok(Said.token("CT3")), tells: .done("onSignUpCompleted", []),
            .other("CT3", at: "/oauth2/v2.0/token")),
        Row(
            "wrong", .no("invalid_grant", "invalid_oob_value", 50181), tells: .server("isInvalidCode", codes: 50181),
            .other("CT2")),
        Row(
            "the password of the start", .no("invalid_grant", "password_banned", 399_246),
            tells: .server("isInvalidCode", codes: 399_246), .other("CT2")),
        Row(
            "a password", wanted, .ok(Said.passwordWanted("CT4")), tells: .done("onSignUpPasswordRequired", []),
            .other("CT4")),
        Row("another code", wanted, .ok(Said.codeSent("CT4")), tells: .general),
        Row(
            "a challenge refused", wanted, .no("expired_token", nil, 552_003),
            tells: .says("General error", codes: 552_003, uri: Script.uri)),
        Row("a challenge refused oddly", wanted, .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("a bad challenge", wanted, .ok("{}"), tells: .badBody),
        Row("a browser as challenge", wanted, .browser, tells: .browser),
        Row("no challenge for the network", wanted, .offline, .offline, tells: .badBody, .other("CT3", at: challenge)),
        Row("no challenge for the server", wanted, .down, .down, tells: .badBody, .other("CT3", at: challenge)),
        Row(
            "attributes", .refused(Said.attributesRequired("CT3")),
            tells: .done("onSignUpAttributesRequired", Script.attributes), .other("CT3")),
        Row(
            "attributes without a token",
            .no(
                "attributes_required", nil, 55106,
                more: #","required_attributes":[{"name":"city","type":"string","required":true}]"#), tells: .badBody),
        Row(
            "attributes without any", .no("attributes_required", nil, 55106, more: #","continuation_token":"CT3""#),
            tells: .badBody),
        Row(
            "values not taken",
            .no(
                "invalid_grant", "attribute_validation_failed", 55105, more: #","invalid_attributes":[{"name":"city"}]"#
            ), tells: .server(codes: 55105)),
        Row("somebody by now", .no("user_already_exists", nil, 1_003_037), tells: .server(codes: 1_003_037)),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("a browser", .browser, tells: .browser),
    ]

    @Test(arguments: codeRows)
    func code(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.signUpCode()
        try await scene.check(row, on: state, token: "CT2", errorMethod: "onSignUpVerifyCodeError") {
            state.submitCode(code: "1", delegate: $0)
        }
    }

    @Test(arguments: Script.passwordProblems)
    func anyPasswordProblemIsACodeProblem(_ suberror: String) async throws {
        try await code(
            Row(
                suberror, .no("invalid_grant", suberror, 1), tells: .server("isInvalidCode", codes: 1), .other("CT2")))
    }

    // MARK: Another code

    nonisolated static let resendRows: [Row] = [
        Row(
            "sent", .ok(Said.codeSent("CT3")), tells: .done("onSignUpResendCodeCodeRequired", Script.codeSent),
            .other("CT3")),
        Row("invalid_request", .no("invalid_request", nil, 1), tells: .server(codes: 1), .other("CT2")),
        Row("unauthorized_client", .no("unauthorized_client", nil, 1), tells: .server(codes: 1), .other("CT2")),
        Row(
            "unsupported_challenge_type", .no("unsupported_challenge_type", nil, 1), tells: .server(codes: 1),
            .other("CT2")),
        Row("expired_token", .no("expired_token", nil, 1), tells: .server(codes: 1), .other("CT2")),
        Row("invalid_grant", .no("invalid_grant", nil, 1), tells: .server(codes: 1)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("a bad answer", .ok("{}"), tells: .badBody),
        Row("no network", .offline, .offline, tells: .badBody),
        Row("a password", .ok(Said.passwordWanted("CT3")), tells: .general),
        Row("a browser", .browser, tells: .browser),
    ]

    @Test(arguments: resendRows)
    func resend(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.signUpCode()
        try await scene.check(row, on: state, token: "CT2", errorMethod: "onSignUpResendCodeError") {
            state.resendCode(delegate: $0)
        }
    }

    // MARK: The password

    nonisolated static let passwordRows: [Row] = [
        Row(
            "taken", .ok(Said.token("CT5")), tells: .done("onSignUpCompleted", []),
            .other("CT5", at: "/oauth2/v2.0/token")),
        Row(
            "a code after all", .no("invalid_grant", "invalid_oob_value", 50181), tells: .server(codes: 50181),
            .other("CT4")),
        Row(
            "attributes", .refused(Said.attributesRequired("CT5")),
            tells: .done("onSignUpAttributesRequired", Script.attributes), .other("CT5")),
        Row(
            "values not taken", .no("invalid_grant", "attribute_validation_failed", 55105),
            tells: .server(codes: 55105)),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("no network", .offline, .offline, tells: .badBody),
    ]

    @Test(arguments: passwordRows)
    func password(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.signUpPassword()
        try await scene.check(row, on: state, token: "CT4", errorMethod: "onSignUpPasswordRequiredError") {
            state.submitPassword(password: "p", delegate: $0)
        }
    }

    @Test(arguments: Script.passwordProblems)
    func passwordProblem(_ suberror: String) async throws {
        try await password(
            Row(
                suberror, .no("invalid_grant", suberror, 1), tells: .server("isInvalidPassword", codes: 1),
                .other("CT4")))
    }

    @Test func passwordThatIsWantedAgainIsAnError() async throws {
        let scene = try AppScene()
        let state = try await scene.signUpPassword()
        let heard = try await scene.hear([Self.wanted, .ok(Said.passwordWanted("CT6"))]) {
            state.submitPassword(password: "p", delegate: $0)
        }
        #expect(heard.method == "onSignUpPasswordRequiredError")
        #expect(heard.error?.flags == [])
        #expect(heard.state == nil)
    }

    // MARK: Attributes

    nonisolated static let attributeRows: [Row] = [
        Row(
            "taken", .ok(Said.token("CT4")), tells: .done("onSignUpCompleted", []),
            .other("CT4", at: "/oauth2/v2.0/token")),
        Row(
            "another page", .refused(Said.attributesRequired("CT4")),
            tells: .done("onSignUpAttributesRequired", Script.attributes), .other("CT4")),
        Row(
            "not taken",
            .no(
                "invalid_grant", "attribute_validation_failed", 55105, more: #","invalid_attributes":[{"name":"city"}]"#
            ), tells: .done("onSignUpAttributesInvalid", ["city"]), .other("CT3")),
        Row("refused", .no("invalid_request", nil, 55200), tells: .server(codes: 55200)),
        Row("a wrong code", .no("invalid_grant", "invalid_oob_value", 1), tells: .server(codes: 1)),
        Row("a bad password", .no("invalid_grant", "password_banned", 1), tells: .server(codes: 1)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("no network", .offline, .offline, tells: .badBody),
    ]

    @Test(arguments: attributeRows)
    func attributes(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.signUpAttributes()
        try await scene.check(row, on: state, token: "CT3", errorMethod: "onSignUpAttributesRequiredError") {
            state.submitAttributes(attributes: ["city": "Oslo"], delegate: $0)
        }
    }

    @Test func attributesAreSentAsTheyAre() async throws {
        let scene = try AppScene()
        let state = try await scene.signUpAttributes()
        _ = try await scene.hear([.ok(Said.token("CT4")), .ok(Said.token("CT4"))]) {
            state.submitAttributes(attributes: ["member": true], delegate: $0)
        }
        _ = try await scene.hear { state.submitAttributes(attributes: [:], delegate: $0) }
        #expect(scene.server.form(3)["attributes"] == #"{"member":true}"#)
        #expect(scene.server.form(4)["attributes"] == "{}")
        let odd = try await scene.hear { state.submitAttributes(attributes: ["a": AppScene.self], delegate: $0) }
        #expect(odd.told == .general)
        #expect(scene.server.calls.count == 5)
    }
}
