// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The token by which a receiver knows that the tenant is calling.
enum CalloutToken {
    /// The service's own app, in whose name extensions are called. No app of a tenant has this id.
    static let caller = "99045fe1-7639-4a75-9d4a-577b6ca3810f"
    static let lifetime: Int64 = 300

    /// - Parameter id: Names the request; a second attempt has the same.
    static func claims(id: String, _ resource: CalloutResource, _ settings: Settings, _ now: Date) -> [String:
        JSONValue]
    {
        let seconds = Int64(now.timeIntervalSince1970)
        return [
            "ver": .string("2.0"), "iss": .string(settings.issuer), "aud": .string(resource.applicationID),
            "azp": .string(caller), "sub": .string(caller), "tid": .string(settings.tenantID),
            "iat": .integer(seconds), "nbf": .integer(seconds), "exp": .integer(seconds + lifetime),
            "jti": .string(id), "uti": .string(id),
        ]
    }
}
