// SPDX-License-Identifier: Apache-2.0

import Foundation
import NativeAuth

extension Failure {
    /// The same as an error of ``MSALErrorDomain``.
    ///
    /// - Parameters:
    ///   - wish: What failed.
    ///   - account: Whose token it was to be.
    func silentError(_ wish: SilentWish, _ account: MSALAccount) -> NSError {
        .msal(
            silentCode, RetrieveAccessTokenError(self).errorDescription ?? "",
            [
                MSALCorrelationIDKey: correlationID.uuidString, MSALOAuthErrorKey: error.error,
                MSALOAuthSubErrorKey: error.suberror, MSALGrantedScopesKey: granted,
                MSALDeclinedScopesKey: granted.map { granted in
                    let names = Set(granted.map { $0.lowercased() })
                    return wish.scopes.filter { !names.contains($0.lowercased()) }
                },
                MSALHomeAccountIdKey: account.identifier, MSALDisplayableUserIdKey: account.username,
            ])
    }

    private var silentCode: MSALError {
        switch error.reason {
        case .signInRequired, .multiFactorRequired, .passwordChangeRequired, .browserRequired: .interactionRequired
        case .scopesDeclined: .serverDeclinedScopes
        default: error.error == "server_error" ? .serverError : .internal
        }
    }

    private var granted: [String]? {
        if case .scopesDeclined(let granted) = error.reason { granted } else { nil }
    }
}
