// SPDX-License-Identifier: Apache-2.0

import Wire

/// The refusals that more than one endpoint gives, with the service's numbers and words of our own.
extension Refusal {
    static func aadsts(_ code: Int, _ error: Kind, suberror: Suberror? = nil, _ text: String) -> Refusal {
        Refusal(error, suberror, description: "AADSTS\(code): \(text)", codes: [code])
    }

    /// Clients look for the first fragment in the text, so it has to be there word for word.
    static func missing(_ field: String) -> Refusal {
        switch field {
        case "username", "client_id":
            aadsts(90100, .invalidRequest, "\(field) parameter is empty or not valid.")
        case "attributes", "claims":
            aadsts(90100, .invalidRequest, "\(field) parameter is not a JSON object.")
        default:
            aadsts(90100, .invalidRequest, "The parameter '\(field)' is missing or empty.")
        }
    }

    static let unknownClient = aadsts(700_016, .unauthorizedClient, "No application with this client_id is known here.")
    static let nativeAuthOff = aadsts(
        7_000_000, .invalidClient, suberror: .nativeAuthDisabled, "Native authentication is off for this application.")
    static let confidentialClient = aadsts(
        550_022, .invalidClient, "Native authentication is for public clients only; this application is none.")
    static let noRedirect = aadsts(901_007, .unsupportedChallengeType, "challenge_type has to list 'redirect'.")
    static let unknownChallengeType = aadsts(
        901_007, .invalidRequest, "challenge_type lists a value that is not known.")
    static let userExists = aadsts(1_003_037, .userAlreadyExists, "An account with this username exists already.")
    static let userUnknown = aadsts(50034, .userNotFound, "No account with this username exists.")
    static let accountDisabled = aadsts(50057, .invalidGrant, "The account is disabled.")
    static let passwordChangeRequired = aadsts(
        50142, .invalidRequest, "The password has to be changed before it can be used. Reset it.")
    static let noRecovery = aadsts(
        500_222, .invalidRequest, "The tenant or user does not support native credential recovery.")
    static let wrongPassword = aadsts(50126, .invalidGrant, "The username or the password is wrong.")
    static let passwordRecentlyUsed = Refusal(
        .invalidGrant, .passwordRecentlyUsed, description: "The password is the one that the account has already.",
        codes: [399_250])
    static let locked = aadsts(
        50053, .invalidGrant, "The account is locked for a while, after too many wrong passwords.")
    static let wrongCode = aadsts(
        50181, .invalidGrant, suberror: .invalidOOBValue, "The code is wrong or no longer valid.")
    static let tooManyCodes = aadsts(
        701_014, .invalidRequest, "No more codes are sent to this address for now. The last one stays valid.")
    static let unusableToken = aadsts(55200, .invalidRequest, "The continuation token is not for this call.")
    /// The service has two words for it, by endpoint.
    static func deadToken(_ error: Kind) -> Refusal {
        aadsts(55200, error, "The continuation token is not valid.")
    }
    static let expiredToken = aadsts(552_003, .expiredToken, "The continuation token has expired. Start again.")
    static let wrongUsername = aadsts(
        90100, .invalidRequest, "username parameter does not belong to the continuation token.")
    /// What the endpoints of the flows answer where the token endpoint has an error of its own.
    static let unknownFlowGrant = aadsts(70003, .invalidGrant, "This grant_type is not known here.")
    static let unknownGrant = aadsts(70003, .unsupportedGrantType, "This grant_type is not supported here.")
    static let unknownScope = aadsts(70011, .invalidScope, "A scope is not known here, or belongs to another resource.")
    static let consentMissing = aadsts(
        65001, .invalidGrant, suberror: .consentRequired,
        "Nobody has consented to a scope for this application. Send an interactive authorization request for this user and resource."
    )
    static let mfaRequired = aadsts(50076, .invalidGrant, suberror: .mfaRequired, "A second factor is needed.")
    static let registrationRequired = aadsts(
        50072, .invalidGrant, suberror: .registrationRequired, "A strong method has to be registered first.")
    /// A refresh token alone cannot answer for a person who has to prove more.
    static let mfaForRefresh = aadsts(
        50076, .invalidGrant, suberror: .basicAction, "A second factor is needed now. Sign in again.")
    static let methodNotNamed = aadsts(
        901_002, .invalidRequest, suberror: .introspectRequired, "The account has several methods: name one by its id.")
    static let unknownMethod = aadsts(90100, .invalidRequest, "The parameter 'id' is no method of this account.")
    static let badContact = aadsts(
        901_001, .invalidRequest,
        "challenge_target is neither a mail address nor a telephone number with its country code.")
    static let contactBlocked = aadsts(
        550_024, .accessDenied, suberror: .providerBlockedByReputation, "This contact cannot be used.")
    static let channelOff = aadsts(
        550_025, .accessDenied, suberror: .providerBlockedByAdmin, "This kind of method is switched off.")
    static let deadRefreshToken = aadsts(
        700_082, .invalidGrant, "The refresh token has expired or was revoked. Sign in again.")
    /// RFC 6749, section 5.2, has `invalid_grant` for it.
    static let tokenOfAnotherClient = Refusal(
        .invalidGrant, description: "The token was issued to another client, and stays as it is.")
    static let notRevocable = Refusal(
        .unsupportedTokenType, description: "Only refresh tokens can be revoked. This one ends by itself, soon.")
    static let busy = Refusal(
        .temporarilyUnavailable, description: "Too many requests of this flow are under way at the same time.")

    static let overloaded = Refusal(
        .temporarilyUnavailable, description: "Too many passwords are being checked at the same time.")

    /// The tenant's own trouble, without the words of SQLite or the system: they may hold paths.
    static func unavailable(_ reason: StoreError.Reason?) -> Refusal {
        let text =
            switch reason {
            case .diskFull: "The tenant's disk is full."
            case .readOnly: "The tenant's database cannot be written to."
            case .damaged: "The tenant's database is damaged."
            case .unreachable: "The tenant's database cannot be reached."
            case .other, nil: "The tenant cannot use its database now."
            }
        return Refusal(.temporarilyUnavailable, description: text)
    }

    static let extensionFailed = aadsts(
        1_100_001, .invalidRequest, "An extension of the tenant did not answer as it has to. Try again later.")

    /// An extension ended the sign-up, with words of its own.
    static func blocked(_ title: String, _ message: String) -> Refusal {
        Refusal(
            .invalidRequest, description: [title, message].filter { !$0.isEmpty }.joined(separator: ": "),
            codes: [1_003_998])
    }

    static func attributesInvalid(_ names: [String], _ text: String) -> Refusal {
        var refusal = Refusal(.invalidGrant, .attributeValidationFailed, description: text, codes: [1_003_999])
        refusal.invalidAttributes = names.map(AttributeName.init)
        return refusal
    }

    static func attributesRequired(_ attributes: [AttributeDefinition]) -> Refusal {
        var refusal = aadsts(55106, .attributesRequired, "The user flow needs more attributes.")
        refusal.requiredAttributes = attributes.map(\.wire)
        return refusal
    }

    static let credentialRequired = aadsts(55103, .credentialRequired, "The account needs a password.")

    static let verificationRequired: Refusal = {
        var refusal = aadsts(55108, .verificationRequired, "The mail address has to be verified first.")
        refusal.unverifiedAttributes = [AttributeName(name: "email")]
        return refusal
    }()
}
