// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// The proofs that an app can collect from a person. `redirect` is always added, as the protocol demands.
public struct MSALNativeAuthChallengeTypes: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// The set with these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A one-time passcode.
    public static let OOB = MSALNativeAuthChallengeTypes(rawValue: 1 << 0)
    /// A password.
    public static let password = MSALNativeAuthChallengeTypes(rawValue: 1 << 1)

    var types: ChallengeTypes {
        var types: ChallengeTypes = []
        if contains(.OOB) { types.insert(.code) }
        if contains(.password) { types.insert(.password) }
        return types
    }
}

/// The parts of a sign-in, after the first factor, that an app can follow. What is left out ends in a browser when the
/// tenant demands it.
public struct MSALNativeAuthCapabilities: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// The set with these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A second factor.
    public static let mfaRequired = MSALNativeAuthCapabilities(rawValue: 1 << 0)
    /// The registration of a strong method.
    public static let registrationRequired = MSALNativeAuthCapabilities(rawValue: 1 << 1)

    var capabilities: Capabilities {
        var capabilities: Capabilities = []
        if contains(.mfaRequired) { capabilities.insert(.multiFactor) }
        if contains(.registrationRequired) { capabilities.insert(.registration) }
        return capabilities
    }
}
