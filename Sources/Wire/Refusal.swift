// SPDX-License-Identifier: Apache-2.0

/// The error body, the same for every endpoint.
package struct Refusal: Error, Codable, Sendable, Equatable {
    package var error: Kind
    package var suberror: Suberror?
    /// For people; never to be parsed.
    package var errorDescription: String?
    /// Stable numbers, the AADSTS ones; the first one counts.
    package var errorCodes: [Int]?
    /// UTC, `yyyy-MM-dd HH:mm:ssZ`.
    package var timestamp: String?
    package var traceId: String?
    package var correlationId: String?
    package var errorUri: String?
    /// Only where the flow goes on: with `credential_required`, `attributes_required` and their like.
    package var continuationToken: String?
    package var requiredAttributes: [RequiredAttribute]?
    package var invalidAttributes: [AttributeName]?
    package var unverifiedAttributes: [AttributeName]?
    /// The path of the call that was refused. Not sent: a client notes it.
    package var endpoint: String?

    package init(
        _ error: Kind, _ suberror: Suberror? = nil, description: String? = nil, codes: [Int]? = nil
    ) {
        self.error = error
        self.suberror = suberror
        errorDescription = description
        errorCodes = codes
    }

    private enum CodingKeys: CodingKey {
        case error, suberror, errorDescription, errorCodes, timestamp, traceId, correlationId, errorUri
        case continuationToken, requiredAttributes, invalidAttributes, unverifiedAttributes
    }
}

extension Refusal {
    /// The top-level class of an error.
    package struct Kind: Word {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let accessDenied = Kind(rawValue: "access_denied")
        /// RFC 8628, section 3.5.
        package static let authorizationPending = Kind(rawValue: "authorization_pending")
        package static let attributesRequired = Kind(rawValue: "attributes_required")
        package static let credentialRequired = Kind(rawValue: "credential_required")
        package static let expiredToken = Kind(rawValue: "expired_token")
        package static let invalidClient = Kind(rawValue: "invalid_client")
        package static let invalidGrant = Kind(rawValue: "invalid_grant")
        package static let invalidRequest = Kind(rawValue: "invalid_request")
        package static let invalidScope = Kind(rawValue: "invalid_scope")
        package static let invalidToken = Kind(rawValue: "invalid_token")
        /// OpenID Connect Core 1.0, section 3.1.2.6.
        package static let loginRequired = Kind(rawValue: "login_required")
        package static let requestNotSupported = Kind(rawValue: "request_not_supported")
        package static let requestUriNotSupported = Kind(rawValue: "request_uri_not_supported")
        package static let registrationNotSupported = Kind(rawValue: "registration_not_supported")
        package static let serverError = Kind(rawValue: "server_error")
        /// RFC 8628, section 3.5.
        package static let slowDown = Kind(rawValue: "slow_down")
        package static let temporarilyUnavailable = Kind(rawValue: "temporarily_unavailable")
        package static let unauthorizedClient = Kind(rawValue: "unauthorized_client")
        package static let unsupportedChallengeType = Kind(rawValue: "unsupported_challenge_type")
        package static let unsupportedGrantType = Kind(rawValue: "unsupported_grant_type")
        package static let unsupportedResponseType = Kind(rawValue: "unsupported_response_type")
        /// RFC 7009, section 2.2.1.
        package static let unsupportedTokenType = Kind(rawValue: "unsupported_token_type")
        package static let userAlreadyExists = Kind(rawValue: "user_already_exists")
        package static let userNotFound = Kind(rawValue: "user_not_found")
        package static let verificationRequired = Kind(rawValue: "verification_required")
    }

    /// The refinement of an error.
    package struct Suberror: Word {
        package let rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let basicAction = Suberror(rawValue: "basic_action")
        package static let consentRequired = Suberror(rawValue: "consent_required")
        package static let attributeValidationFailed = Suberror(rawValue: "attribute_validation_failed")
        package static let introspectRequired = Suberror(rawValue: "introspect_required")
        package static let invalidOOBValue = Suberror(rawValue: "invalid_oob_value")
        package static let mfaRequired = Suberror(rawValue: "mfa_required")
        package static let nativeAuthDisabled = Suberror(rawValue: "nativeauthapi_disabled")
        package static let passwordBanned = Suberror(rawValue: "password_banned")
        package static let passwordIsInvalid = Suberror(rawValue: "password_is_invalid")
        package static let passwordRecentlyUsed = Suberror(rawValue: "password_recently_used")
        package static let passwordTooLong = Suberror(rawValue: "password_too_long")
        package static let passwordTooShort = Suberror(rawValue: "password_too_short")
        package static let passwordTooWeak = Suberror(rawValue: "password_too_weak")
        package static let providerBlockedByAdmin = Suberror(rawValue: "provider_blocked_by_admin")
        package static let providerBlockedByReputation = Suberror(rawValue: "provider_blocked_by_rep")
        package static let registrationRequired = Suberror(rawValue: "registration_required")
    }
}
