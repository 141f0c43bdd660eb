// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The domain of the errors of everything that is not native authentication itself.
public let MSALErrorDomain = "MSALErrorDomain"

/// The key of the person's explanation in such an error.
public let MSALErrorDescriptionKey = "MSALErrorDescriptionKey"

/// The codes of ``MSALErrorDomain``.
public enum MSALError: Int, Sendable {
    /// Something that an app cannot act on; see the description.
    case `internal` = -50000
    /// The person has to sign in again.
    case interactionRequired = -50002
    /// The tenant granted less than was asked for.
    case serverDeclinedScopes = -50003
}

extension NSError {
    static func msal(_ code: MSALError, _ description: String) -> NSError {
        NSError(
            domain: MSALErrorDomain, code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: description, MSALErrorDescriptionKey: description])
    }
}
