// SPDX-License-Identifier: Apache-2.0

import Wire

/// What apps are told that sign in by a browser, with the service's numbers where it has some. The characters are those of
/// RFC 6749, section 4.1.2.1.
extension Refusal {
    static let unknownRedirect = aadsts(
        50011, .invalidRequest, "The redirect address is not one of those that are registered for the application.")
    static let onlyCodes = aadsts(
        700_054, .unsupportedResponseType, "response_type has to be 'code'.")
    static let onlyS256 = aadsts(
        501_491, .invalidRequest, "code_challenge_method has to be 'S256'.")
    static let loginRequired = aadsts(50058, .loginRequired, "Somebody has to sign in, and prompt is 'none'.")
    static let cancelled = aadsts(65004, .accessDenied, "The person did not want to sign in.")
    static let unknownCode = aadsts(
        9_002_313, .invalidGrant, "The code is not known here, or was made for another application.")
    static let usedCode = aadsts(54005, .invalidGrant, "The code has been used already. What it led to has ended.")
    static let expiredCode = aadsts(70008, .invalidGrant, "The code has expired. It is good for a minute.")
    static let otherRedirect = aadsts(
        500_112, .invalidGrant, "redirect_uri is not the address that the code was brought to.")
    static let wrongVerifier = aadsts(501_481, .invalidGrant, "code_verifier does not fit the code_challenge.")

    static func malformed(_ field: String) -> Refusal {
        aadsts(90023, .invalidRequest, "The parameter '\(field)' has a value that is not known here.")
    }

    static func unsupported(_ kind: Kind, _ field: String) -> Refusal {
        Refusal(kind, description: "The parameter '\(field)' is not supported.")
    }

    // MARK: - Devices (RFC 8628, section 3.5)

    static let devicePending = aadsts(70016, .authorizationPending, "Nobody has signed in with the code yet.")
    static let deviceTooFast = aadsts(70016, .slowDown, "Wait five seconds longer between two questions.")
    static let deviceDenied = aadsts(65004, .accessDenied, "The person did not want to sign in.")
    static let deviceExpired = aadsts(70020, .expiredToken, "The device code has expired. Ask for another one.")
    static let deviceUnknown = aadsts(
        70018, .invalidGrant, "The device code is not known here, was used, or was made for another application.")
}
