// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// How a sign-up begins.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct SignUpStartTests {
    private nonisolated static let username = "AADSTS90100: username parameter is empty or not valid."
    private nonisolated static let client = "AADSTS90100: client_id parameter is empty or not valid."

    nonisolated static let rows: [Row] = [
        Row(
            "a code", .ok(Said.token("CT1")), .ok(Said.codeSent("CT2")),
            tells: .done("onSignUpCodeRequired", Script.codeSent), .other("CT2", at: "/signup/v1.0/continue")),
        Row("a password", .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), tells: .general),
        Row(
            "values that the flow does not take",
            .no(
                "invalid_grant", "attribute_validation_failed", 55105,
                more: #","invalid_attributes":[{"name":"city"},{"name":"state"}]"#),
            tells: .done("onSignUpAttributesInvalid", ["city", "state"])),
        Row(
            "values without names", .no("invalid_grant", "attribute_validation_failed", 55105),
            tells: .server(codes: 55105)),
        Row(
            "an empty list of names",
            .no("invalid_grant", "attribute_validation_failed", 55105, more: #","invalid_attributes":[]"#),
            tells: .server(codes: 55105)),
        Row("a browser", .browser, tells: .browser),
        Row("a browser after all", .ok(Said.token("CT1")), .browser, tells: .browser),
        Row(
            "a browser without a reason", .ok(Script.bareRedirect),
            tells: .says("Browser required. Use acquireTokenInteractively instead", "isBrowserRequired")),

        Row(
            "somebody", .no("user_already_exists", nil, 1_003_037),
            tells: .server("isUserAlreadyExists", codes: 1_003_037)),
        Row(
            "no address", .no("invalid_request", nil, 90100, words: username),
            tells: .says(username, "isInvalidUsername", codes: 90100, uri: Script.uri)),
        Row(
            "no address, by a later number", .no("invalid_request", nil, 1, 90100, words: username),
            tells: .says(username, codes: 1, 90100, uri: Script.uri)),
        Row(
            "no client", .no("invalid_request", nil, 90100, words: client),
            tells: .says(client, codes: 90100, uri: Script.uri)),
        Row(
            "attributes missing",
            .no(
                "attributes_required", nil, 55106,
                more:
                    #","continuation_token":"CT","required_attributes":[{"name":"city","type":"string","required":true}]"#
            ),
            tells: .server(codes: 55106)),
        Row("another app", .no("unauthorized_client", nil, 700_016, status: 401), tells: .server(codes: 700_016)),
        Row("other proofs", .no("unsupported_challenge_type", nil, 901_007), tells: .server(codes: 901_007)),
        Row("another method", .no("unsupported_auth_method", nil, 550_024), tells: .server(codes: 550_024)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("a refinement that nobody knows", .no("invalid_grant", "tea_time", 7), tells: .server(codes: 7)),
        Row("no challenge", .ok(Said.token("CT1")), .no("expired_token", nil, 552_003), tells: .server(codes: 552_003)),
        Row(
            "a bad challenge", .ok(Said.token("CT1")), .no("user_already_exists", nil, 1), tells: .server(codes: 1)),
    ]

    @Test(arguments: rows)
    func outcome(_ row: Row) async throws {
        let scene = try AppScene()
        try await scene.check(row, errorMethod: "onSignUpStartError") {
            scene.app.signUp(parameters: scene.signUp(), delegate: $0)
        }
    }

    @Test(arguments: Script.passwordProblems)
    func passwordProblem(_ suberror: String) async throws {
        let scene = try AppScene()
        let row = Row(
            suberror, .no("invalid_grant", suberror, 399_246), tells: .server("isInvalidPassword", codes: 399_246))
        try await scene.check(row, errorMethod: "onSignUpStartError") {
            scene.app.signUp(parameters: scene.signUp(password: "p"), delegate: $0)
        }
    }

    @Test func whatJSONCannotHoldIsNotSent() async throws {
        let scene = try AppScene()
        let parameters = scene.signUp()
        parameters.attributes = ["since": AppScene.self]
        try await scene.check(Row("", tells: .general), errorMethod: "onSignUpStartError") {
            scene.app.signUp(parameters: parameters, delegate: $0)
        }
        #expect(scene.server.calls.isEmpty)
    }

    @Test func whatIsSent() async throws {
        let scene = try AppScene()
        let parameters = scene.signUp(password: "p")
        parameters.attributes = ["age": 7]
        let said = [ScriptedTransport.Line.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))]
        _ = try await scene.hear(said) { scene.app.signUp(parameters: parameters, delegate: $0) }
        #expect(
            scene.server.form(0) == [
                "client_id": Fjordshop.clientID, "username": Fjordshop.mira, "password": "p",
                "attributes": #"{"age":7}"#, "challenge_type": "oob password redirect",
                "capabilities": "mfa_required registration_required",
            ])
    }
}
