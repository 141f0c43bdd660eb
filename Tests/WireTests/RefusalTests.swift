// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Wire

/// Error bodies as the protocol's examples write them.
struct RefusalTests {
    private func read(_ json: String) throws -> Refusal {
        try WireJSON.decode(Refusal.self, from: Data(json.utf8))
    }

    @Test func credentialRequired() throws {
        let refusal = try read(
            """
            { "error": "credential_required", "error_description": "AADSTS55103: A credential must be supplied.",
              "error_codes": [55103], "timestamp": "2026-03-14 09:26:53Z",
              "trace_id": "0b1d7b34-30a5-4c2f-9a80-77d3c1a41100", "correlation_id": "5e1c0b0a-7d5b-4c55-9a0e-2f3b7a5d9911",
              "continuation_token": "CT3" }
            """)
        #expect(refusal.error == .credentialRequired)
        #expect(refusal.suberror == nil)
        #expect(refusal.errorDescription == "AADSTS55103: A credential must be supplied.")
        #expect(refusal.errorCodes == [55103])
        #expect(refusal.timestamp == "2026-03-14 09:26:53Z")
        #expect(refusal.traceId == "0b1d7b34-30a5-4c2f-9a80-77d3c1a41100")
        #expect(refusal.correlationId == "5e1c0b0a-7d5b-4c55-9a0e-2f3b7a5d9911")
        #expect(refusal.continuationToken == "CT3")
    }

    @Test func attributesRequired() throws {
        let refusal = try read(
            """
            { "error": "attributes_required", "error_codes": [55106], "continuation_token": "CT5",
              "required_attributes": [
                { "name": "displayName", "type": "string", "required": true, "options": { "regex": "^.{1,256}$" } },
                { "name": "extension_77a1c0de_loyaltyNumber", "type": "Text", "required": false, "options": {} },
                { "name": "city", "type": "string", "required": true } ] }
            """)
        #expect(refusal.error == .attributesRequired)
        #expect(
            refusal.requiredAttributes == [
                RequiredAttribute(
                    name: "displayName", type: "string", required: true, options: .init(regex: "^.{1,256}$")),
                RequiredAttribute(
                    name: "extension_77a1c0de_loyaltyNumber", type: "Text", required: false, options: .init(regex: nil)),
                RequiredAttribute(name: "city", type: "string", required: true),
            ])
    }

    @Test func attributeValidationFailed() throws {
        let refusal = try read(
            """
            { "error": "invalid_grant", "suberror": "attribute_validation_failed",
              "error_description": "One or more attributes failed validation.", "error_codes": [1003999],
              "invalid_attributes": [ { "name": "extension_77a1c0de_loyaltyNumber", "reason": "regex" } ] }
            """)
        #expect(refusal.error == .invalidGrant)
        #expect(refusal.suberror == .attributeValidationFailed)
        #expect(refusal.invalidAttributes == [AttributeName(name: "extension_77a1c0de_loyaltyNumber")])
    }

    @Test func verificationRequired() throws {
        let refusal = try read(
            #"{"error":"verification_required","continuation_token":"CT","unverified_attributes":[{"name":"email"}]}"#)
        #expect(refusal.error == .verificationRequired)
        #expect(refusal.unverifiedAttributes == [AttributeName(name: "email")])
    }

    @Test func userNotFoundWithURI() throws {
        let refusal = try read(
            #"{"error":"user_not_found","error_codes":[50034],"error_uri":"https://login.microsoftonline.com/error?code=50034"}"#
        )
        #expect(refusal.error == .userNotFound)
        #expect(refusal.errorUri == "https://login.microsoftonline.com/error?code=50034")
    }

    @Test func unknownWordsKeepTheirText() throws {
        let refusal = try read(#"{"error":"solar_flare","suberror":"x9_class","inner_errors":[{"error":"e"}]}"#)
        #expect(refusal.error.rawValue == "solar_flare")
        #expect(refusal.suberror?.rawValue == "x9_class")
        #expect(
            String(decoding: try WireJSON.encode(refusal), as: UTF8.self)
                == #"{"error":"solar_flare","suberror":"x9_class"}"#)
    }

    @Test func refusalIsWritten() throws {
        var refusal = Refusal(
            .invalidGrant, .invalidOOBValue, description: "AADSTS50181: The code did not match.", codes: [50181])
        refusal.traceId = "t"
        refusal.correlationId = "c"
        refusal.timestamp = "2026-03-14 10:01:00Z"
        #expect(
            String(decoding: try WireJSON.encode(refusal), as: UTF8.self)
                == #"{"correlation_id":"c","error":"invalid_grant","error_codes":[50181],"#
                + #""error_description":"AADSTS50181: The code did not match.","suberror":"invalid_oob_value","#
                + #""timestamp":"2026-03-14 10:01:00Z","trace_id":"t"}"#)
    }

    /// iOS cannot read an attribute that lacks a member, so nobody may send one.
    @Test(arguments: [
        "{}", #"{"error":null}"#, #"{"error":5}"#, #"{"suberror":"invalid_oob_value"}"#, "[]", "garbage", "",
        #"{"error":"attributes_required","required_attributes":[{"type":"string","required":true}]}"#,
        #"{"error":"attributes_required","required_attributes":[{"name":"a","required":true}]}"#,
        #"{"error":"attributes_required","required_attributes":[{"name":"a","type":"string"}]}"#,
        #"{"error":"invalid_grant","invalid_attributes":["city"]}"#,
        #"{"error":"invalid_grant","error_codes":["50181"]}"#,
    ])
    func otherShapesAreNoRefusals(_ json: String) {
        #expect(throws: (any Error).self) { try read(json) }
    }

    @Test func wordsAreExact() {
        let kinds: [(Refusal.Kind, String)] = [
            (.accessDenied, "access_denied"), (.attributesRequired, "attributes_required"),
            (.credentialRequired, "credential_required"), (.expiredToken, "expired_token"),
            (.invalidClient, "invalid_client"), (.invalidGrant, "invalid_grant"), (.invalidRequest, "invalid_request"),
            (.invalidScope, "invalid_scope"), (.serverError, "server_error"),
            (.temporarilyUnavailable, "temporarily_unavailable"), (.invalidToken, "invalid_token"),
            (.unauthorizedClient, "unauthorized_client"), (.unsupportedChallengeType, "unsupported_challenge_type"),
            (.unsupportedGrantType, "unsupported_grant_type"), (.userAlreadyExists, "user_already_exists"),
            (.userNotFound, "user_not_found"), (.verificationRequired, "verification_required"),
        ]
        for (kind, word) in kinds { #expect(kind.rawValue == word) }
        let suberrors: [(Refusal.Suberror, String)] = [
            (.passwordTooWeak, "password_too_weak"), (.passwordTooShort, "password_too_short"),
            (.passwordTooLong, "password_too_long"), (.passwordRecentlyUsed, "password_recently_used"),
            (.passwordBanned, "password_banned"), (.passwordIsInvalid, "password_is_invalid"),
            (.invalidOOBValue, "invalid_oob_value"), (.attributeValidationFailed, "attribute_validation_failed"),
            (.nativeAuthDisabled, "nativeauthapi_disabled"), (.mfaRequired, "mfa_required"),
            (.registrationRequired, "registration_required"), (.introspectRequired, "introspect_required"),
            (.providerBlockedByReputation, "provider_blocked_by_rep"),
            (.providerBlockedByAdmin, "provider_blocked_by_admin"), (.basicAction, "basic_action"),
            (.consentRequired, "consent_required"),
        ]
        for (suberror, word) in suberrors { #expect(suberror.rawValue == word) }
    }
}
