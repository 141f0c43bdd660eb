// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// Whole error bodies of every kind, as the protocol's examples write them.
struct RefusalBodyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let error: String
        let suberror: String?
        let codes: [Int]
        let text: String
        /// More members, and what they are to be read as.
        let more: String
        let token: String?

        init(
            _ error: String, _ suberror: String? = nil, codes: [Int], _ text: String, more: String = "",
            token: String? = nil
        ) {
            self.error = error
            self.suberror = suberror
            self.codes = codes
            self.text = text
            self.more = more + (token.map { #","continuation_token":"\#($0)""# } ?? "")
            self.token = token
        }

        var testDescription: String { "\(error) \(suberror ?? "") \(codes)" }

        var body: String {
            """
            {"error":"\(error)",\(suberror.map { #""suberror":"\#($0)","# } ?? "")
             "error_description":"\(text)","error_codes":\(codes),"timestamp":"2026-03-14 10:00:00Z",
             "trace_id":"0b1d7b34-30a5-4c2f-9a80-77d3c1a41100",
             "correlation_id":"5e1c0b0a-7d5b-4c55-9a0e-2f3b7a5d9911"\(more)}
            """
        }
    }

    static let rows: [Row] = [
        // What any call may be refused with.
        Row("invalid_request", codes: [90100], "AADSTS90100: username parameter is empty or not valid."),
        Row("invalid_request", codes: [901007], "AADSTS901007: The challenge_type list is not valid."),
        Row("unsupported_challenge_type", codes: [901007], "AADSTS901007: The challenge_type list lacks redirect."),
        Row("unauthorized_client", codes: [700016], "AADSTS700016: No such application."),
        Row("invalid_client", codes: [550022], "AADSTS550022: The application is no public client."),
        Row("invalid_client", "nativeauthapi_disabled", codes: [7_000_000], "Native auth is off for this app."),
        Row("invalid_request", codes: [55200], "AADSTS55200: The continuation token is not valid here."),
        Row("invalid_request", codes: [55000], "AADSTS55000: The continuation token is not valid here."),
        Row("expired_token", codes: [552003], "AADSTS552003: The continuation token has expired."),
        Row("expired_token", codes: [55112], "AADSTS55112: The continuation token has expired."),
        Row("invalid_request", codes: [701014], "AADSTS701014: No more codes for now."),
        Row("server_error", codes: [90033], "AADSTS90033: A passing fault."),
        // Sign-up.
        Row("user_already_exists", codes: [1_003_037], "AADSTS1003037: The account exists."),
        Row("invalid_grant", "password_too_weak", codes: [399246], "The password is too weak."),
        Row("invalid_grant", "password_too_short", codes: [], "The password is too short."),
        Row("invalid_grant", "password_too_long", codes: [], "The password is too long."),
        Row("invalid_grant", "password_banned", codes: [], "The password is banned."),
        Row("invalid_grant", "password_recently_used", codes: [], "The password was used before."),
        Row("invalid_grant", "password_is_invalid", codes: [], "The password holds what it must not."),
        Row("credential_required", codes: [55103], "AADSTS55103: A credential must be supplied.", token: "CT3"),
        Row(
            "attributes_required", codes: [55106], "AADSTS55106: More attributes are needed.",
            more: #","required_attributes":[{"name":"city","type":"string","required":true}]"#, token: "CT5"),
        Row(
            "verification_required", codes: [], "The address has to be verified first.",
            more: #","unverified_attributes":[{"name":"email"}]"#, token: "CT6"),
        Row("invalid_grant", "invalid_oob_value", codes: [50181], "AADSTS50181: The code did not match."),
        // Sign-in.
        Row(
            "user_not_found", codes: [50034], "AADSTS50034: No such account in this directory.",
            more: #","error_uri":"https://login.microsoftonline.com/error?code=50034""#),
        Row("invalid_grant", codes: [50126], "AADSTS50126: Wrong user name or password."),
        Row("invalid_grant", codes: [50053], "AADSTS50053: The account is locked."),
        Row("invalid_request", codes: [50142], "AADSTS50142: The password has to be changed."),
        Row("invalid_request", "introspect_required", codes: [], "There is no default method."),
        Row("access_denied", "provider_blocked_by_rep", codes: [550024], "AADSTS550024: This contact cannot be used."),
        Row("access_denied", "provider_blocked_by_admin", codes: [], "The method is switched off."),
        Row("invalid_grant", "mfa_required", codes: [50076], "AADSTS50076: A second factor is needed.", token: "CT7"),
        Row(
            "invalid_grant", "registration_required", codes: [50072], "AADSTS50072: A strong method is needed.",
            token: "CT7"),
        Row("invalid_scope", codes: [70011], "AADSTS70011: The scope is not known."),
        Row("unsupported_grant_type", codes: [70003], "AADSTS70003: The grant is not known."),
        Row("invalid_grant", "consent_required", codes: [65001], "AADSTS65001: Consent is missing."),
        Row("invalid_grant", "basic_action", codes: [50076], "AADSTS50076: A second factor is needed."),
        Row("invalid_grant", codes: [700082], "AADSTS700082: The refresh token has expired."),
        // Password reset, and registration.
        Row("invalid_request", codes: [500222], "AADSTS500222: No native credential recovery."),
        Row("invalid_request", codes: [901001], "AADSTS901001: The contact is not valid."),
    ]

    @Test(arguments: rows)
    func isRead(_ row: Row) throws {
        let refusal = try WireJSON.decode(Refusal.self, from: Data(row.body.utf8))
        #expect(refusal.error.rawValue == row.error)
        #expect(refusal.suberror?.rawValue == row.suberror)
        #expect(refusal.errorCodes == row.codes)
        #expect(refusal.errorDescription == row.text)
        #expect(refusal.timestamp == "2026-03-14 10:00:00Z")
        #expect(refusal.traceId == "0b1d7b34-30a5-4c2f-9a80-77d3c1a41100")
        #expect(refusal.correlationId == "5e1c0b0a-7d5b-4c55-9a0e-2f3b7a5d9911")
        #expect(refusal.continuationToken == row.token)
        // Nothing of it is lost on the way back.
        #expect(JSONValue(json: try WireJSON.encode(refusal)) == JSONValue(json: row.body.utf8))
    }
}
