// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing
import Wire

@testable import NativeAuth

/// What each refusal means to an app.
struct RefusalMeaningTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let json: String
        let reason: AuthError.Reason
        var testDescription: String { json }

        init(_ json: String, _ reason: AuthError.Reason) {
            self.json = json
            self.reason = reason
        }
    }

    static let rows: [Row] = [
        Row(#"{"error":"user_already_exists","error_codes":[1003037]}"#, .userAlreadyExists),
        Row(#"{"error":"user_not_found","error_codes":[50034]}"#, .userNotFound),
        Row(#"{"error":"invalid_grant","error_codes":[50034]}"#, .userNotFound),
        Row(#"{"error":"invalid_grant","error_codes":[50126]}"#, .invalidCredentials),
        Row(#"{"error":"invalid_grant","error_codes":[50126,50034]}"#, .invalidCredentials),
        Row(#"{"error":"invalid_grant","error_codes":[50034,50126]}"#, .userNotFound),
        Row(#"{"error":"invalid_grant","error_codes":[50053]}"#, .accountLocked),
        Row(#"{"error":"invalid_grant","error_codes":[1,50126]}"#, .refused),
        Row(#"{"error":"invalid_grant","error_codes":[]}"#, .refused),
        Row(#"{"error":"invalid_grant"}"#, .refused),
        Row(#"{"error":"invalid_request","error_codes":[50126]}"#, .refused),
        Row(#"{"error":"invalid_grant","suberror":"invalid_oob_value","error_codes":[50181]}"#, .invalidCode),
        Row(#"{"error":"invalid_grant","suberror":"invalid_oob_value"}"#, .invalidCode),
        Row(#"{"error":"invalid_grant","suberror":"password_too_short"}"#, .invalidPassword(.tooShort)),
        Row(#"{"error":"invalid_grant","suberror":"password_too_long"}"#, .invalidPassword(.tooLong)),
        Row(
            #"{"error":"invalid_grant","suberror":"password_too_weak","error_codes":[399246]}"#,
            .invalidPassword(.tooWeak)),
        Row(#"{"error":"invalid_grant","suberror":"password_banned"}"#, .invalidPassword(.banned)),
        Row(#"{"error":"invalid_grant","suberror":"password_recently_used"}"#, .invalidPassword(.recentlyUsed)),
        Row(#"{"error":"invalid_grant","suberror":"password_is_invalid"}"#, .invalidPassword(.invalidCharacters)),
        Row(
            #"{"error":"invalid_grant","suberror":"attribute_validation_failed","invalid_attributes":[{"name":"city"},{"name":"state"}]}"#,
            .invalidAttributes(["city", "state"])),
        Row(#"{"error":"invalid_grant","suberror":"attribute_validation_failed"}"#, .invalidAttributes([])),
        Row(#"{"error":"expired_token","error_codes":[552003]}"#, .flowExpired),
        Row(#"{"error":"expired_token","error_codes":[55112]}"#, .flowExpired),
        Row(#"{"error":"invalid_request","error_codes":[701014]}"#, .tooManyCodes),
        Row(#"{"error":"invalid_client","suberror":"nativeauthapi_disabled"}"#, .clientRejected),
        Row(#"{"error":"unauthorized_client","error_codes":[700016]}"#, .clientRejected),
        Row(#"{"error":"invalid_client","error_codes":[550022]}"#, .clientRejected),
        Row(#"{"error":"invalid_scope","error_codes":[70011]}"#, .invalidScope),
        Row(#"{"error":"invalid_request","error_codes":[50142]}"#, .passwordChangeRequired),
        Row(#"{"error":"invalid_request","error_codes":[1,50142]}"#, .passwordChangeRequired),
        Row(
            #"{"error":"invalid_request","error_codes":[90100],"error_description":"AADSTS90100: username parameter is empty or not valid."}"#,
            .invalidUsername),
        Row(
            #"{"error":"invalid_request","error_codes":[90100],"error_description":"AADSTS90100: client_id parameter is empty or not valid."}"#,
            .clientRejected),
        Row(
            #"{"error":"invalid_request","error_codes":[90100],"error_description":"AADSTS90100: dc parameter is empty or not valid."}"#,
            .refused),
        Row(#"{"error":"invalid_request","error_codes":[90100]}"#, .refused),
        Row(
            #"{"error":"invalid_request","error_codes":[1],"error_description":"username parameter is empty or not valid"}"#,
            .refused),
        Row(#"{"error":"invalid_request","error_codes":[55200]}"#, .refused),
        Row(#"{"error":"unsupported_challenge_type","error_codes":[901007]}"#, .refused),
        Row(#"{"error":"invalid_request","error_codes":[500222]}"#, .userHasNoPassword),
        Row(#"{"error":"invalid_grant","error_codes":[500222]}"#, .refused),
        Row(#"{"error":"invalid_request","error_codes":[901001]}"#, .invalidContact),
        Row(#"{"error":"invalid_request","error_codes":[1,901001]}"#, .invalidContact),
        Row(#"{"error":"access_denied","error_codes":[901001]}"#, .refused),
        Row(#"{"error":"access_denied","suberror":"provider_blocked_by_rep","error_codes":[550024]}"#, .methodBlocked),
        Row(#"{"error":"access_denied","suberror":"provider_blocked_by_admin"}"#, .methodBlocked),
        Row(#"{"error":"invalid_grant","suberror":"provider_blocked_by_rep"}"#, .refused),
        Row(#"{"error":"access_denied"}"#, .refused),
        Row(#"{"error":"invalid_grant","error_codes":[50057]}"#, .accountDisabled),
        Row(#"{"error":"invalid_grant","error_codes":[65001]}"#, .consentRequired),
        Row(#"{"error":"invalid_grant","suberror":"consent_required"}"#, .consentRequired),
        Row(#"{"error":"invalid_grant","error_codes":[50076]}"#, .refused),
        Row(#"{"error":"solar_flare","suberror":"x9_class","error_codes":[9]}"#, .refused),
        Row(#"{"error":"invalid_grant","suberror":"brand_new","error_codes":[50126]}"#, .invalidCredentials),
    ]

    @Test(arguments: rows)
    func means(_ row: Row) throws {
        let refusal = try WireJSON.decode(Refusal.self, from: Data(row.json.utf8))
        #expect(AuthError(refusal).reason == row.reason)
    }

    @Test func wordsOfTheServerAreKept() throws {
        let json = """
            {"error":"invalid_grant","suberror":"invalid_oob_value","error_description":"AADSTS50181: The code did not match.",
             "error_codes":[50181,7],"timestamp":"2026-03-14 10:01:00Z","trace_id":"t","correlation_id":"c",
             "error_uri":"https://login.microsoftonline.com/error?code=50181"}
            """
        let error = AuthError(try WireJSON.decode(Refusal.self, from: Data(json.utf8)))
        #expect(error.message == "AADSTS50181: The code did not match.")
        #expect(error.codes == [50181, 7])
        #expect(error.error == "invalid_grant")
        #expect(error.suberror == "invalid_oob_value")
        #expect(error.traceID == "t")
        #expect(error.correlationID == "c")
        #expect(error.uri == "https://login.microsoftonline.com/error?code=50181")
        #expect(error.timestamp == "2026-03-14 10:01:00Z")
    }

    // MARK: - What may be tried again

    @Test func stepsStayOpenOrNot() {
        let another: [AuthError.Reason] = [
            .invalidCode, .invalidPassword(.tooWeak), .invalidCredentials, .invalidAttributes([]), .invalidContact,
            .methodBlocked, .tooManyCodes, .accountLocked,
        ]
        let later: [AuthError.Reason] = [
            .rateLimited(retryAfter: nil), .serverUnavailable(status: 500), .network(.timedOut), .cancelled,
        ]
        let unclear: [AuthError.Reason] = [.refused, .unexpectedAnswer(.word(""))]
        let over: [AuthError.Reason] = [
            .browserRequired, .flowExpired, .clientRejected, .userNotFound, .accountDisabled, .consentRequired,
            .invalidScope, .passwordChangeRequired,
        ]
        func all(_ reasons: [AuthError.Reason], _ test: (AuthError) -> Bool) -> [Bool] {
            Array(Set(reasons.map { test(AuthError($0)) }))
        }
        #expect(all(another + later) { $0.leavesStepUsable } == [true])
        #expect(all(unclear + over) { $0.leavesStepUsable } == [false])
        #expect(all(another + later + unclear) { $0.leavesFlowOpen } == [true])
        #expect(all(over) { $0.leavesFlowOpen } == [false])
        #expect(all(later) { $0.isPassing } == [true])
        #expect(all(another + unclear + over) { $0.isPassing } == [false])
    }
}
