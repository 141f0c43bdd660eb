// SPDX-License-Identifier: Apache-2.0

/// Sign-in in a browser (RFC 6749, section 4.1): the words of the authorization endpoint.
package enum Authorization {
    package static let path = "/oauth2/v2.0/authorize"
    /// The only method of a code challenge (RFC 7636, section 4.3); `plain` protects from nobody who can listen.
    package static let challengeMethod = "S256"
}

/// Sign-in on another device (RFC 8628).
package enum DeviceAuthorization {
    /// Asks for a code that a person types elsewhere.
    package struct Start: Call {
        package static let path = "/oauth2/v2.0/devicecode"

        package var clientId: String
        package var scope: Words<Scope>?
        package var claims: String?

        package init(clientId: String, scope: Words<Scope>? = nil, claims: String? = nil) {
            self.clientId = clientId
            self.scope = scope
            self.claims = claims
        }
    }
}

extension DeviceAuthorization.Start {
    /// The codes, and where the person goes with one of them (RFC 8628, section 3.2). Times are in seconds.
    package struct Reply: Codable, Sendable, Equatable {
        package var deviceCode: String
        package var userCode: String
        package var verificationUri: String
        package var verificationUriComplete: String?
        package var expiresIn: Int
        package var interval: Int?
        /// For people, in the tenant's words.
        package var message: String?

        package init(
            deviceCode: String, userCode: String, verificationUri: String, verificationUriComplete: String? = nil,
            expiresIn: Int, interval: Int? = nil, message: String? = nil
        ) {
            self.deviceCode = deviceCode
            self.userCode = userCode
            self.verificationUri = verificationUri
            self.verificationUriComplete = verificationUriComplete
            self.expiresIn = expiresIn
            self.interval = interval
            self.message = message
        }
    }
}
