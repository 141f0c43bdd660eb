// SPDX-License-Identifier: Apache-2.0

/// How an app reaches its tenant.
public struct Configuration: Sendable {
    /// The tenant.
    public var authority: Authority
    /// The app's registration at the tenant: its application (client) id.
    public var clientID: String
    /// What the app can do when the tenant asks. `redirect` is always added, as the protocol demands.
    public var challengeTypes: ChallengeTypes
    /// The parts of a sign-in that the app can follow; what is left out ends in a browser when a tenant demands it.
    public var capabilities: Capabilities
    /// How long a connection may take to be made.
    public var connectTimeout: Duration
    /// How long a request may take as a whole.
    public var timeout: Duration
    /// How often a request is sent again after a server's 5xx, or no answer at all.
    public var retries: Int
    /// How long to wait before that.
    public var retryInterval: Duration
    /// Whether a sign-in leaves other people's accounts in the cache. Microsoft's native authentication keeps one account,
    /// and so does this by default.
    public var keepsOtherAccounts: Bool
    /// A file of certificate authorities in PEM that replaces the system's; nil for the system's.
    public var caFile: String?
    /// The proxy's address; nil takes it from `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. Loopback is never proxied.
    public var proxy: String?
    /// Whether the transport proves already which tenant answers, so that it may have any name, and keys anywhere: a
    /// tenant of this user's on this machine, which may be served under the name of its certificate.
    package var transportVouches = false

    /// A configuration with the time-outs of Microsoft's SDKs.
    ///
    /// - Parameters:
    ///   - authority: The tenant.
    ///   - clientID: The app's application (client) id, a GUID.
    ///   - challengeTypes: What the app can ask a person for.
    ///   - capabilities: The parts of a sign-in, after the first factor, that the app can follow.
    ///   - connectTimeout: How long a connection may take to be made.
    ///   - timeout: How long a request may take as a whole.
    ///   - retries: How often a request is sent again after a server's 5xx, or no answer at all.
    ///   - retryInterval: How long to wait before that.
    ///   - keepsOtherAccounts: Whether a sign-in leaves other people's accounts in the cache.
    ///   - caFile: A file of certificate authorities in PEM; nil for the system's.
    ///   - proxy: The proxy's address; nil for that of the environment.
    public init(
        authority: Authority, clientID: String, challengeTypes: ChallengeTypes = [.code, .password],
        capabilities: Capabilities = [.multiFactor, .registration],
        connectTimeout: Duration = .seconds(30), timeout: Duration = .seconds(300),
        retries: Int = 1, retryInterval: Duration = .milliseconds(500), keepsOtherAccounts: Bool = false,
        caFile: String? = nil, proxy: String? = nil
    ) {
        self.authority = authority
        self.clientID = clientID
        self.challengeTypes = challengeTypes
        self.capabilities = capabilities
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.retries = retries
        self.retryInterval = retryInterval
        self.keepsOtherAccounts = keepsOtherAccounts
        self.caFile = caFile
        self.proxy = proxy
    }
}

/// The proofs that an app can collect from a person.
public struct ChallengeTypes: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// The set with these bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A one-time passcode, sent by mail or as a text message: `oob` on the wire.
    public static let code = ChallengeTypes(rawValue: 1)
    /// A password.
    public static let password = ChallengeTypes(rawValue: 2)
}

/// The parts of a sign-in, after the first factor, that an app can follow.
public struct Capabilities: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: Int

    /// The set with these bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// A second factor: ``SignInStep/multiFactorRequired(_:)``, `mfa_required` on the wire.
    public static let multiFactor = Capabilities(rawValue: 1)
    /// The registration of a strong method: ``SignInStep/registrationRequired(_:)``, `registration_required` on the wire.
    public static let registration = Capabilities(rawValue: 2)
}
