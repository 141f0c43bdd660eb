// SPDX-License-Identifier: Apache-2.0

/// Gives a token back before its time (RFC 7009, section 2.1). The service has no such call.
package struct RevocationRequest: Call {
    package typealias Reply = Done
    package static let path = "/oauth2/v2.0/revoke"

    package var clientId: String
    package var token: String
    package var tokenTypeHint: String?

    package init(clientId: String, token: String, tokenTypeHint: String? = nil) {
        self.clientId = clientId
        self.token = token
        self.tokenTypeHint = tokenTypeHint
    }

    /// The status says it all (RFC 7009, section 2.2).
    package struct Done: Codable, Sendable {
        package init() {}
    }
}
