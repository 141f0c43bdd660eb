// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The domain of the errors of everything that is not native authentication itself.
public let MSALErrorDomain = "MSALErrorDomain"

/// The key of the person's explanation in such an error.
public let MSALErrorDescriptionKey = "MSALErrorDescriptionKey"

/// The key of the request's id in the tenant's log, a text.
public let MSALCorrelationIDKey = "MSALCorrelationIDKey"

/// The key of the tenant's error by OAuth 2.0, such as `invalid_grant`, where the tenant refused.
public let MSALOAuthErrorKey = "MSALOAuthErrorKey"

/// The key of what the tenant adds to it, where it does.
public let MSALOAuthSubErrorKey = "MSALOAuthSubErrorKey"

/// The key of the scopes that were granted, where others were not.
public let MSALGrantedScopesKey = "MSALGrantedScopesKey"

/// The key of the scopes that were not granted.
public let MSALDeclinedScopesKey = "MSALDeclinedScopesKey"

/// The key of the ``MSALAccount/identifier`` that the error is about.
public let MSALHomeAccountIdKey = "MSALHomeAccountIdKey"

/// The key of the user name that the error is about.
public let MSALDisplayableUserIdKey = "MSALDisplayableUserIdKey"

/// The key of Microsoft's number for an internal error. No error has it here; the description tells.
public let MSALInternalErrorCodeKey = "MSALInternalErrorCodeKey"

/// The codes of ``MSALErrorDomain``.
public enum MSALError: Int, Sendable {
    /// Something that an app cannot act on; see the description.
    case `internal` = -50000
    /// The device has to be registered. Never here.
    case workplaceJoinRequired = -50001
    /// The person has to sign in again.
    case interactionRequired = -50002
    /// The tenant granted less than was asked for.
    case serverDeclinedScopes = -50003
    /// A policy of Intune protects what was asked for. Never here.
    case serverProtectionPoliciesRequired = -50004
    /// The person closed the browser. Never here.
    case userCanceled = -50005
    /// The tenant says `server_error`.
    case serverError = -50006
    /// The device cannot prove enough. Never here.
    case insufficientDeviceStrength = -50007
}

extension NSError {
    /// - Parameter more: What else is known; nil values are left out.
    static func msal(_ code: MSALError, _ description: String, _ more: [String: Any?] = [:]) -> NSError {
        var known = more.compactMapValues { $0 }
        known[NSLocalizedDescriptionKey] = description
        known[MSALErrorDescriptionKey] = description
        return NSError(domain: MSALErrorDomain, code: code.rawValue, userInfo: known)
    }
}
