// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import Wire

/// An app that may use the tenant.
package struct AppRegistration: Sendable, Codable, Equatable {
    package var clientID: String
    package var name: String
    /// The user flow that its users go through; without one, every flow ends in a browser.
    package var userFlow: String?
    package var nativeAuthentication = true
    /// Whether it is known to keep no secret. Native authentication is for such apps only.
    package var isPublicClient = true
    /// The scopes of APIs that an administrator has consented to; nil for every scope that there is.
    package var consented: [String]?
    /// What its users have to prove besides; nil for nothing.
    package var multiFactor: MultiFactorPolicy?
    /// What its ID tokens say about people beyond the standard claims; nil for every attribute under its own name.
    package var claims: [ClaimMapping]?
    /// Where a browser may be sent after a sign-out; compared character by character.
    package var logoutRedirects: [String]?
    /// Where a browser may bring the code of a sign-in; none where the app signs nobody in in a browser.
    package var redirects: [String]?

    package init(clientID: String, name: String, userFlow: String?) {
        self.clientID = clientID
        self.name = name
        self.userFlow = userFlow
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        clientID = try container.decode(String.self, forKey: .clientID)
        name = try container.decodeIfPresent(String.self, forKey: .name) ?? clientID
        userFlow = try container.decodeIfPresent(String.self, forKey: .userFlow)
        nativeAuthentication = try container.decodeIfPresent(Bool.self, forKey: .nativeAuthentication) ?? true
        isPublicClient = try container.decodeIfPresent(Bool.self, forKey: .isPublicClient) ?? true
        consented = try container.decodeIfPresent([String].self, forKey: .consented)
        multiFactor = try container.decodeIfPresent(MultiFactorPolicy.self, forKey: .multiFactor)
        claims = try container.decodeIfPresent([ClaimMapping].self, forKey: .claims)
        logoutRedirects = try container.decodeIfPresent([String].self, forKey: .logoutRedirects)
        redirects = try container.decodeIfPresent([String].self, forKey: .redirects)
    }

    /// Why it cannot be used as it is, in words for its author; nil if it can.
    package var problem: String? {
        if UUID(uuidString: clientID) == nil { return "the client id is no GUID" }
        // A receiver knows the tenant's calls by this id.
        if clientID.lowercased() == CalloutToken.caller { return "the client id is that of the tenant's own calls" }
        if multiFactor?.channels.isEmpty == true { return "multi-factor authentication has no channel" }
        if let unknown = multiFactor?.channels.first(where: { $0 != .email && $0 != .sms }) {
            return "'\(unknown.rawValue)' is no channel: use 'email' and 'sms'"
        }
        if let wrong = logoutRedirects?.first(where: { !Logout.canBeRedirect($0) }) {
            return "'\(wrong)' is no address to go to after a sign-out"
        }
        if let wrong = redirects?.first(where: { !RedirectAddress.canBeRegistered($0) }) {
            return "'\(wrong)' is no address to bring the code of a sign-in to"
        }
        return claims?.problem
    }
}

/// When an app's users need a second factor.
package struct MultiFactorPolicy: Sendable, Codable, Equatable {
    /// The ways that its codes may go.
    package var channels: [Channel]
    /// Whether it is asked of those who sign in with a code, too. They need a text message then: a second mail would
    /// prove nothing that the first did not.
    package var afterCode: Bool

    package init(channels: [Channel] = [.email, .sms], afterCode: Bool = false) {
        self.channels = channels
        self.afterCode = afterCode
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        channels = try container.decodeIfPresent([Channel].self, forKey: .channels) ?? [.email, .sms]
        afterCode = try container.decodeIfPresent(Bool.self, forKey: .afterCode) ?? false
    }
}

/// One claim of a token, and where its value comes from.
package struct ClaimMapping: Sendable, Codable, Equatable {
    package enum Source: String, Sendable, Codable {
        /// An attribute of the account.
        case user
        /// What the extension for token issuance returned.
        case customClaimsProvider
    }

    package var source: Source
    /// The attribute's name, or the name that the extension gave; case counts.
    package var id: String
    /// The name in the token.
    package var claim: String

    package init(_ source: Source, _ id: String, as claim: String) {
        self.source = source
        self.id = id
        self.claim = claim
    }
}

extension [ClaimMapping] {
    /// Why the mappings cannot be used, in words for their author; nil if they can.
    package var problem: String? {
        var names: Set<String> = []
        for mapping in self {
            if mapping.id.isEmpty || mapping.claim.isEmpty { return "a claim mapping has no 'id' or no 'claim'" }
            if UserInfo.isReserved(mapping.claim) {
                return "'\(mapping.claim)' is a claim of the tokens themselves"
            }
            if !names.insert(mapping.claim).inserted { return "the claim '\(mapping.claim)' is mapped twice" }
        }
        return nil
    }
}

/// A resource that access tokens are for.
package struct Resource: Sendable, Codable, Equatable {
    /// The application id of the API, the token's audience.
    package var id: String
    package var name: String
    /// What its scopes begin with, as `api://sample`; empty for scopes that have no resource in their name.
    package var identifier: String
    /// The short names of the scopes.
    package var scopes: [String]
    /// What its access tokens say about people; nil for nothing beyond the standard claims.
    package var claims: [ClaimMapping]?

    package init(id: String, name: String, identifier: String, scopes: [String], claims: [ClaimMapping]? = nil) {
        self.id = id
        self.name = name
        self.identifier = identifier
        self.scopes = scopes
        self.claims = claims
    }

    /// The scopes as they are asked for.
    var fullScopes: [String] { scopes.map { identifier.isEmpty ? $0 : "\(identifier)/\($0)" } }

    /// The tenant's own `/oidc/userinfo`: what a token is for when no resource is asked for. Its id is that of Graph,
    /// which serves userinfo at the cloud.
    static let userInfo = Resource(
        id: "00000003-0000-0000-c000-000000000000", name: "User info", identifier: "",
        scopes: ["openid", "profile", "offline_access", "email"])

    /// A sample API, so that scopes can be tried.
    package static let sample = Resource(
        id: "5a3d1e00-0000-4000-8000-00000000a001", name: "Sample API", identifier: "api://sample",
        scopes: ["Orders.Read", "Orders.Write"])

    static var samples: [Resource] { [sample] }

    /// Why it cannot be used as it is, in words for its author; nil if it can.
    package var problem: String? {
        if UUID(uuidString: id) == nil { return "the id is no GUID" }
        if id.lowercased() == Resource.userInfo.id { return "the id is that of the tenant's own API" }
        if identifier.isEmpty || identifier.contains(where: \.isWhitespace) {
            return "the API needs an identifier without blanks, as api://sample"
        }
        if scopes.isEmpty
            || scopes.contains(where: { $0.isEmpty || $0.contains(where: { $0.isWhitespace || $0 == "/" }) })
        {
            return "the API needs scopes without blanks and slashes"
        }
        return claims?.problem
    }
}
