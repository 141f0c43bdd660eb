// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// The sign-in that follows a sign-up or a password reset.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct SignInAfterTests {
    nonisolated static let rows: [Row] = [
        Row("tokens", .tokens, tells: .done("onSignInCompleted", [Fjordshop.mira])),
        Row(
            "a registration", .refused(Said.registrationRequired("CT7")), .ok(Said.registrable("CT8")),
            tells: .done("onSignInStrongAuthMethodRegistration", Script.registrable),
            .other("CT8", at: "/register/v1.0/challenge")),
        // Microsoft's SDK ends here with a general error. The method is declared, so it is called.
        Row(
            "a second factor", .refused(Said.multiFactorRequired("CT7")), .ok(Said.methods("CT8")),
            tells: .done("onSignInAwaitingMFA", Script.multiFactorMethods), .other("CT8", at: "/oauth2/v2.0/challenge")),
        Row(
            "contacts refused", .refused(Said.registrationRequired("CT7")), .no("invalid_request", nil, 1),
            tells: .server(codes: 1)),
        Row("a browser", .browser, tells: .browser),
        Row("nobody", .no("user_not_found", nil, 50034), tells: .server(codes: 50034)),
        Row("nobody by number", .no("invalid_grant", nil, 50034), tells: .server(codes: 50034)),
        Row("wrong", .no("invalid_grant", nil, 50126), tells: .server(codes: 50126)),
        Row("too late", .no("expired_token", nil, 552_003), tells: .server(codes: 552_003)),
        Row("an error that nobody knows", .no("tea_time", nil, 7), tells: .server(codes: 7)),
        Row("no network", .offline, .offline, tells: .badBody),
        Row("tokens of no use", .ok("{}"), tells: .general),
    ]

    @Test(arguments: rows)
    func afterSignUp(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.afterSignUp()
        try await scene.check(row, on: state, token: "CT3", errorMethod: "onSignInAfterSignUpError") {
            state.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: $0)
        }
    }

    @Test(arguments: rows)
    func afterReset(_ row: Row) async throws {
        let scene = try AppScene()
        let state = try await scene.afterReset()
        try await scene.check(row, on: state, token: "CT5", errorMethod: "onSignInAfterResetPasswordError") {
            state.signIn(parameters: MSALNativeAuthSignInAfterResetPasswordParameters(), delegate: $0)
        }
    }

    private nonisolated static let unavailable = Row(
        "without a token",
        tells: .says("Sign In is not available at this point, please use the standalone sign in methods"))

    @Test func afterSignUpWithoutAToken() async throws {
        let scene = try AppScene()
        let state = try await scene.afterSignUp(.ok("{}"))
        try await scene.check(Self.unavailable, errorMethod: "onSignInAfterSignUpError") {
            state.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: $0)
        }
        #expect(scene.server.calls.count == 3)
    }

    @Test func afterResetWithoutAToken() async throws {
        let scene = try AppScene()
        let state = try await scene.afterReset(.ok(#"{"status":"succeeded"}"#))
        try await scene.check(Self.unavailable, errorMethod: "onSignInAfterResetPasswordError") {
            state.signIn(parameters: MSALNativeAuthSignInAfterResetPasswordParameters(), delegate: $0)
        }
        #expect(scene.server.calls.count == 5)
    }

    @Test func whatIsSent() async throws {
        let scene = try AppScene()
        let state = try await scene.afterSignUp()
        let parameters = MSALNativeAuthSignInAfterSignUpParameters()
        parameters.scopes = ["api://a/Read"]
        parameters.claimsRequest = MSALClaimsRequest(jsonString: #"{"access_token":{"acrs":null}}"#, error: nil)
        _ = try await scene.hear([.tokens]) { state.signIn(parameters: parameters, delegate: $0) }
        #expect(
            scene.server.form(3) == [
                "client_id": Fjordshop.clientID, "username": Fjordshop.mira, "continuation_token": "CT3",
                "grant_type": "continuation_token", "scope": "api://a/Read openid profile offline_access",
                "client_info": "true", "challenge_type": "oob password redirect",
                "claims": #"{"access_token":{"acrs":null}}"#,
            ])
    }
}
