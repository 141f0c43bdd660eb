// SPDX-License-Identifier: Apache-2.0

import TenantTesting
import Testing

@testable import NativeAuth

/// What a refusal means at each endpoint, and whether the step stays open.
struct EndpointRefusalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let endpoints: [Endpoint]
        let status: Int
        let body: String
        let reason: AuthError.Reason
        /// Whether the step that the call was made from can be tried again.
        let keepsStep: Bool

        init(
            _ endpoints: Endpoint..., status: Int = 400, error: String, _ suberror: String? = nil, codes: [Int] = [],
            text: String? = nil, more: String = "", means reason: AuthError.Reason, keepsStep: Bool = false
        ) {
            self.endpoints = endpoints
            self.status = status
            var members = [#""error":"\#(error)""#, #""error_codes":\#(codes)"#]
            if let suberror { members.append(#""suberror":"\#(suberror)""#) }
            if let text { members.append(#""error_description":"\#(text)""#) }
            body = "{" + members.joined(separator: ",") + more + "}"
            self.reason = reason
            self.keepsStep = keepsStep
        }

        var testDescription: String { "\(endpoints.map(\.rawValue).joined(separator: " ")): \(status) \(body)" }
    }

    static let opening: [Row] = [
        Row(
            .signUpStart, error: "invalid_grant", "password_too_weak", codes: [399246],
            means: .invalidPassword(.tooWeak)),
        Row(.signUpStart, error: "invalid_grant", "password_too_short", means: .invalidPassword(.tooShort)),
        Row(.signUpStart, error: "invalid_grant", "password_too_long", means: .invalidPassword(.tooLong)),
        Row(.signUpStart, error: "invalid_grant", "password_banned", means: .invalidPassword(.banned)),
        Row(.signUpStart, error: "invalid_grant", "password_recently_used", means: .invalidPassword(.recentlyUsed)),
        Row(.signUpStart, error: "invalid_grant", "password_is_invalid", means: .invalidPassword(.invalidCharacters)),
        Row(.signUpStart, error: "user_already_exists", codes: [1_003_037], means: .userAlreadyExists),
        Row(
            .signUpStart, error: "invalid_grant", "attribute_validation_failed",
            more: #","invalid_attributes":[{"name":"city"}]"#, means: .invalidAttributes(["city"])),
        Row(.signUpStart, error: "unsupported_auth_method", codes: [400002], means: .refused),
        Row(.signUpStart, error: "attributes_required", codes: [55106], means: Ending.unexpected),
        Row(
            .signUpStart, .initiate, .resetStart, error: "invalid_request", codes: [90100],
            text: "AADSTS90100: username parameter is empty or not valid.", means: .invalidUsername),
        Row(
            .signUpStart, .initiate, .resetStart, error: "invalid_request", codes: [90100],
            text: "AADSTS90100: client_id parameter is empty or not valid.", means: .clientRejected),
        Row(.signUpStart, .initiate, .resetStart, error: "invalid_request", codes: [901007], means: .refused),
        Row(
            .signUpStart, .initiate, .resetStart, error: "unsupported_challenge_type", codes: [901007], means: .refused),
        Row(
            .signUpStart, .initiate, .resetStart, error: "invalid_client", "nativeauthapi_disabled",
            means: .clientRejected),
        Row(
            .signUpStart, .initiate, .resetStart, status: 401, error: "unauthorized_client", codes: [700016],
            means: .clientRejected),
        Row(.signUpStart, .initiate, .resetStart, error: "invalid_client", codes: [550022], means: .clientRejected),
        Row(.initiate, .resetStart, error: "user_not_found", codes: [50034], means: .userNotFound),
        Row(.initiate, error: "invalid_grant", codes: [50034], means: .userNotFound),
        Row(.resetStart, error: "invalid_request", codes: [500222], means: .userHasNoPassword),
        Row(.resetStart, error: "invalid_request", codes: [1, 500222], means: .refused),
        Row(
            .signUpStart, .initiate, .resetStart, status: 403, error: "user_not_found", codes: [50034],
            means: Ending.unexpected),
    ]

    static let challenging: [Row] = [
        Row(
            .signUpChallenge, .challenge, .resetChallenge, error: "invalid_request", codes: [55200], means: .refused),
        Row(.signUpChallenge, .challenge, .resetChallenge, error: "invalid_grant", means: .refused),
        Row(
            .signUpChallenge, .challenge, .resetChallenge, error: "invalid_request", codes: [701014],
            means: .tooManyCodes),
        Row(.signUpChallenge, .challenge, error: "unauthorized_client", means: .clientRejected),
        Row(.challenge, error: "access_denied", "provider_blocked_by_rep", codes: [550024], means: .methodBlocked),
        Row(
            .factorChallenge, .registerChallenge, error: "access_denied", "provider_blocked_by_rep", codes: [550024],
            means: .methodBlocked, keepsStep: true),
        Row(
            .factorChallenge, .registerChallenge, error: "access_denied", "provider_blocked_by_admin",
            means: .methodBlocked, keepsStep: true),
        Row(.factorChallenge, error: "access_denied", means: .refused, keepsStep: true),
        Row(.factorChallenge, error: "invalid_request", "introspect_required", means: .refused, keepsStep: true),
        Row(
            .factorChallenge, .registerChallenge, error: "invalid_request", codes: [701014], means: .tooManyCodes,
            keepsStep: true),
        Row(.registerChallenge, error: "invalid_request", codes: [901001], means: .invalidContact, keepsStep: true),
        Row(.registerChallenge, error: "invalid_request", codes: [1, 901001], means: .invalidContact, keepsStep: true),
        Row(.registerChallenge, error: "invalid_grant", codes: [901001], means: .refused, keepsStep: true),
        Row(.introspect, .registerIntrospect, error: "invalid_request", codes: [50126], means: .refused),
        Row(.introspect, .registerIntrospect, error: "server_error", means: .refused),
        Row(.introspect, error: "invalid_client", means: .clientRejected),
    ]

    static let continuing: [Row] = [
        Row(
            .signUpContinue, .registerContinue, .resetContinue, error: "invalid_grant", "invalid_oob_value",
            codes: [50181], means: .invalidCode, keepsStep: true),
        Row(.signUpContinue, .resetContinue, error: "invalid_grant", means: .refused),
        Row(.signUpContinue, .resetContinue, error: "invalid_request", codes: [55200], means: .refused),
        Row(.signUpContinue, .resetContinue, error: "expired_token", codes: [55112], means: .flowExpired),
        Row(.signUpContinue, .resetContinue, error: "unauthorized_client", codes: [700016], means: .clientRejected),
        Row(.signUpContinue, error: "user_already_exists", codes: [1_003_037], means: .userAlreadyExists),
        Row(.resetContinue, error: "verification_required", means: .refused),
        Row(.registerContinue, error: "invalid_request", codes: [55200], means: .refused, keepsStep: true),
        Row(.registerContinue, error: "authorization_pending", means: .refused, keepsStep: true),
        Row(.registerContinue, error: "access_denied", means: .refused, keepsStep: true),
        Row(
            .resetSubmit, .resetPoll, error: "invalid_grant", "password_too_short",
            means: .invalidPassword(.tooShort), keepsStep: true),
        Row(
            .resetSubmit, .resetPoll, error: "invalid_grant", "password_recently_used",
            means: .invalidPassword(.recentlyUsed), keepsStep: true),
        Row(
            .resetSubmit, .resetPoll, error: "invalid_grant", "password_is_invalid",
            means: .invalidPassword(.invalidCharacters), keepsStep: true),
        Row(.resetSubmit, .resetPoll, error: "invalid_request", codes: [55200], means: .refused),
        Row(.resetPoll, error: "user_not_found", means: .userNotFound),
    ]

    static let redeeming: [Row] = [
        Row(.token, error: "invalid_grant", codes: [50126], means: .invalidCredentials, keepsStep: true),
        Row(.token, error: "invalid_grant", codes: [50053], means: .accountLocked, keepsStep: true),
        Row(
            .token, .factorToken, error: "invalid_grant", "invalid_oob_value", codes: [50181], means: .invalidCode,
            keepsStep: true),
        Row(.token, .factorToken, .registerToken, error: "user_not_found", means: .userNotFound),
        Row(.token, .factorToken, .registerToken, error: "invalid_grant", codes: [50034], means: .userNotFound),
        Row(
            .token, .factorToken, .registerToken, error: "invalid_request", codes: [50142],
            means: .passwordChangeRequired),
        Row(
            .token, .factorToken, .registerToken, error: "invalid_request", codes: [7, 50142],
            means: .passwordChangeRequired),
        Row(.token, .factorToken, .registerToken, error: "invalid_grant", codes: [50057], means: .accountDisabled),
        Row(.token, .factorToken, .registerToken, error: "invalid_grant", codes: [65001], means: .consentRequired),
        Row(.token, .registerToken, error: "invalid_grant", "consent_required", means: .consentRequired),
        Row(.token, .factorToken, .registerToken, error: "invalid_scope", codes: [70011], means: .invalidScope),
        Row(.token, .registerToken, error: "invalid_grant", means: .refused),
        Row(.token, .registerToken, error: "unsupported_grant_type", codes: [70003], means: .refused),
        Row(.token, .registerToken, error: "authorization_pending", means: .refused),
        Row(.factorToken, error: "invalid_grant", means: .refused, keepsStep: true),
        Row(.token, error: "invalid_client", codes: [7_000_218], means: .clientRejected),
        Row(.registerToken, error: "invalid_grant", codes: [50126], means: .invalidCredentials),
    ]

    @Test(arguments: opening + challenging + continuing + redeeming)
    func means(_ row: Row) async throws {
        for endpoint in row.endpoints {
            let (ending, server) = try await endpoint.ending([.answer(row.status, row.body)])
            let expected = Ending.failed(row.reason, retry: row.keepsStep ? endpoint.step : nil)
            #expect(ending == expected, "at \(endpoint.rawValue)")
            #expect(server.isOver)
        }
    }

    /// Whatever a server says is told, even where its status is none of the protocol's.
    @Test(arguments: [400, 401, 403, 404, 429, 503])
    func nothingThatWasSaidIsLost(_ status: Int) async throws {
        let body = """
            {"error":"access_denied","suberror":"sun_spots","error_description":"AADSTS99: No.","error_codes":[99,100],
             "timestamp":"2026-03-14 10:05:00Z","trace_id":"t","correlation_id":"c","error_uri":"https://e.example/99"}
            """
        let said = ScriptedTransport.Line.answer(status, body, ["retry-after": "9"])
        let (ending, _) = try await Endpoint.initiate.ending(status < 500 ? [said] : [said, said])
        let error = try #require(ending.error)
        #expect(error.message == "AADSTS99: No.")
        #expect(error.codes == [99, 100])
        #expect(error.error == "access_denied")
        #expect(error.suberror == "sun_spots")
        #expect(error.traceID == "t")
        #expect(error.correlationID == "c")
        #expect(error.timestamp == "2026-03-14 10:05:00Z")
        #expect(error.uri == "https://e.example/99")
        #expect(error.retryAfter == (status == 429 || status == 503 || status == 403 || status == 404 ? 9 : nil))
    }
}
