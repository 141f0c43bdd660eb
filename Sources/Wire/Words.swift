// SPDX-License-Identifier: Apache-2.0

/// A word of the protocol. Words that this side does not know keep their text instead of failing.
package protocol Word: RawRepresentable, Codable, Hashable, Sendable where RawValue == String {
    init(rawValue: String)
}

/// What a client can do, and what a server asks for next.
package struct ChallengeType: Word {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let oob = ChallengeType(rawValue: "oob")
    package static let password = ChallengeType(rawValue: "password")
    package static let redirect = ChallengeType(rawValue: "redirect")
    /// Only in the answer of `/register/v1.0/challenge`: the contact is proven already.
    package static let preverified = ChallengeType(rawValue: "preverified")
}

/// The way that a code takes.
package struct Channel: Word {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let email = Channel(rawValue: "email")
    package static let sms = Channel(rawValue: "sms")
}

/// A part of the protocol that a client declares it can follow.
package struct Capability: Word {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let mfaRequired = Capability(rawValue: "mfa_required")
    package static let registrationRequired = Capability(rawValue: "registration_required")
}

/// How a step is proven.
package struct GrantType: Word {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let oob = GrantType(rawValue: "oob")
    package static let password = GrantType(rawValue: "password")
    package static let attributes = GrantType(rawValue: "attributes")
    package static let continuationToken = GrantType(rawValue: "continuation_token")
    package static let refreshToken = GrantType(rawValue: "refresh_token")
    /// A code as the second factor.
    package static let mfaOOB = GrantType(rawValue: "mfa_oob")
    /// The code that a browser brought (RFC 6749, section 4.1.3).
    package static let authorizationCode = GrantType(rawValue: "authorization_code")
    /// RFC 8628, section 3.4.
    package static let deviceCode = GrantType(rawValue: "urn:ietf:params:oauth:grant-type:device_code")
}

/// Several words in one field, separated by single spaces.
package struct Words<Element: Word>: Codable, Hashable, Sendable, ExpressibleByArrayLiteral {
    package var elements: [Element]

    package init(_ elements: [Element]) {
        self.elements = elements
    }

    package init(arrayLiteral elements: Element...) {
        self.elements = elements
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        elements = text.split(separator: " ").map { Element(rawValue: String($0)) }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(elements.map(\.rawValue).joined(separator: " "))
    }

    package func contains(_ word: Element) -> Bool {
        elements.contains(word)
    }
}

/// A permission that a token is asked for; `openid profile offline_access` ask for tokens about the user.
package struct Scope: Word {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let openid = Scope(rawValue: "openid")
    package static let profile = Scope(rawValue: "profile")
    package static let offlineAccess = Scope(rawValue: "offline_access")

    /// The scopes that every client of the family asks for besides the app's own.
    package static let standard: [Scope] = [.openid, .profile, .offlineAccess]
}
