// SPDX-License-Identifier: Apache-2.0

/// What a tenant's owner can set. Durations are in seconds.
package struct Settings: Sendable, Codable, Equatable {
    /// The tenant's id, the middle of its addresses.
    package var tenantID: String
    /// A short name that its addresses may hold instead of the id.
    package var name: String
    /// Scheme, host and port of the tenant's addresses; the issuer is made of it, whatever a request's Host header says.
    package var origin: String

    package var codeLength = 8
    package var codeLifetime = 600
    /// Wrong codes until only a new one helps.
    package var codeAttempts = 5
    /// What an answer tells the client to wait before it asks for another code.
    package var resendInterval = 300
    /// What the tenant itself insists on between two codes of one flow.
    package var resendWait = 0
    /// Codes to one address within ``codeWindow``.
    package var codesPerAddress = 5
    package var codeWindow = 1800
    package var flowLifetime = 600
    /// How long a lost answer can be fetched again by the same request.
    package var replayWindow = 60
    /// Wrong passwords until the account is closed for ``lockDuration``, which doubles from then on.
    package var lockThreshold = 10
    package var lockDuration = 60
    /// The shortest life of an access token; the longest is half as long again.
    package var accessTokenLifetime = 3600
    package var idTokenLifetime = 3600
    package var refreshTokenLifetime = 90 * 86400

    package init(tenantID: String, name: String, origin: String) {
        self.tenantID = tenantID
        self.name = name
        self.origin = origin
    }

    /// The address below which the endpoints are.
    package var authority: String { "\(origin)/\(tenantID)" }
    package var issuer: String { "\(authority)/v2.0" }

    /// Whether a path's first segment means this tenant.
    func isNamed(by segment: String) -> Bool {
        let segment = segment.lowercased()
        return segment == tenantID || segment == name || segment == "\(name).onmicrosoft.com"
    }
}

extension Settings {
    /// A number that the owner may change, and the values that make sense.
    package struct Limit {
        package let name: String
        package let path: WritableKeyPath<Settings, Int>
        package let range: ClosedRange<Int>
    }

    package static var limits: [Limit] {
        let seconds = 1...365 * 86400
        return [
            Limit(name: "code_length", path: \.codeLength, range: 6...10),
            Limit(name: "code_lifetime", path: \.codeLifetime, range: seconds),
            Limit(name: "code_attempts", path: \.codeAttempts, range: 1...100),
            Limit(name: "resend_interval", path: \.resendInterval, range: 0...86400),
            Limit(name: "resend_wait", path: \.resendWait, range: 0...86400),
            Limit(name: "codes_per_address", path: \.codesPerAddress, range: 1...1_000_000),
            Limit(name: "code_window", path: \.codeWindow, range: seconds),
            Limit(name: "flow_lifetime", path: \.flowLifetime, range: seconds),
            Limit(name: "lock_threshold", path: \.lockThreshold, range: 1...100),
            Limit(name: "lock_duration", path: \.lockDuration, range: seconds),
            Limit(name: "access_token_lifetime", path: \.accessTokenLifetime, range: seconds),
            Limit(name: "id_token_lifetime", path: \.idTokenLifetime, range: seconds),
            Limit(name: "refresh_token_lifetime", path: \.refreshTokenLifetime, range: seconds),
        ]
    }
}

/// An app that may use the tenant.
package struct AppRegistration: Sendable, Codable, Equatable {
    package var clientID: String
    package var name: String
    /// The user flow that its users go through; without one, every flow ends in a browser.
    package var userFlow: String?
    package var nativeAuthentication = true

    package init(clientID: String, name: String, userFlow: String?) {
        self.clientID = clientID
        self.name = name
        self.userFlow = userFlow
    }
}

/// A resource that access tokens are for.
package struct Resource: Sendable, Equatable {
    /// The application id of the API, the token's audience.
    let id: String
    /// The scopes, as they are asked for.
    let scopes: [String]

    /// The tenant's own `/oidc/userinfo`: what a token is for when no resource is asked for. Its id is that of Graph,
    /// which serves userinfo at the cloud.
    static let userInfo = Resource(
        id: "00000003-0000-0000-c000-000000000000", scopes: ["openid", "profile", "offline_access", "email"])

    /// A sample API, so that scopes can be tried.
    package static let sample = Resource(
        id: "5a3d1e00-0000-4000-8000-00000000a001", scopes: ["api://sample/Orders.Read", "api://sample/Orders.Write"])
}
