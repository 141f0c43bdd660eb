// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// How an app reaches its tenant.
public class MSALPublicClientApplicationConfig: NSObject {
    /// The app's registration at the tenant: its application (client) id.
    public var clientId: String
    /// The tenant.
    public var authority: MSALAuthority
    /// Where a browser would return to. Native authentication does without one.
    public var redirectUri: String?
    /// Addresses to be trusted besides. ``authority`` is trusted in any case, and nothing else is asked.
    public var knownAuthorities: [MSALAuthority]?
    /// Gives out tokens beyond their life while the tenant is down. Native authentication's tokens have one life.
    public var extendedLifetimeEnabled = false
    /// Abilities of the client such as `CP1`; for browser flows.
    public var clientApplicationCapabilities: [String]?
    /// The seconds before its end at which a token counts as expired. As in Microsoft's SDK, tokens of native
    /// authentication always take the default.
    public var tokenExpirationBuffer: Double = 300
    /// A part of the service to be asked, for its testers.
    public var sliceConfig: MSALSliceConfig?
    /// Where accounts are kept.
    public let cacheConfig: MSALCacheConfig
    /// Whether several clouds are asked; External ID has one.
    public var multipleCloudsSupported = false
    /// Whether ``redirectUri`` goes unchecked. There is no list of a program's addresses to check it by.
    public var bypassRedirectURIValidation = false
    /// The client id of a broker that hosts the app; there are none here.
    public var nestedAuthBrokerClientId: String?
    /// The redirect address of a broker that hosts the app; there are none here.
    public var nestedAuthBrokerRedirectUri: String?

    /// A configuration.
    ///
    /// - Parameters:
    ///   - clientId: The app's id, a GUID.
    ///   - redirectUri: Where a browser comes back to; native authentication needs none.
    ///   - authority: The tenant. Until there is one, no app can be made.
    public init(clientId: String, redirectUri: String?, authority: MSALAuthority?) {
        self.clientId = clientId
        self.redirectUri = redirectUri
        self.authority = authority ?? .none
        cacheConfig = MSALCacheConfig(keychainSharingGroup: clientId)
    }

    /// A configuration that names its tenant later, by ``authority``.
    ///
    /// - Parameter clientId: The app's id, a GUID.
    public convenience init(clientId: String) {
        self.init(clientId: clientId, redirectUri: nil, authority: nil)
    }

    /// The same in the terms of `NativeAuth`.
    func configuration() throws -> Configuration {
        guard !clientId.isEmpty else { throw NSError.msal(.internal, "clientId is empty.") }
        guard authority !== MSALAuthority.none else { throw MSALNativeAuthInternalError.invalidAuthority }
        return Configuration(
            authority: authority.authority, clientID: clientId, challengeTypes: [], capabilities: [],
            timeout: MSALGlobalConfig.httpConfig.timeout, retries: MSALGlobalConfig.httpConfig.retryCount,
            retryInterval: MSALGlobalConfig.httpConfig.interval)
    }
}

/// How an app for native authentication reaches its tenant.
public final class MSALNativeAuthPublicClientApplicationConfig: MSALPublicClientApplicationConfig {
    let challengeTypes: MSALNativeAuthChallengeTypes
    /// The parts of a sign-in, after the first factor, that the app can follow; none by default.
    public var capabilities: MSALNativeAuthCapabilities = []
    /// Adds header fields to each request of a flow; none by default.
    public var requestInterceptor: (any MSALNativeAuthRequestInterceptor)?

    /// A configuration for a tenant at any address.
    ///
    /// - Parameters:
    ///   - clientId: The app's id, a GUID.
    ///   - authority: The tenant.
    ///   - challengeTypes: What the app can ask a person for; a browser need not be named.
    public init(clientId: String, authority: MSALAuthority, challengeTypes: MSALNativeAuthChallengeTypes) {
        self.challengeTypes = challengeTypes
        super.init(clientId: clientId, redirectUri: nil, authority: authority)
    }

    /// A configuration for a tenant at `ciamlogin.com`.
    ///
    /// - Parameters:
    ///   - clientId: The app's id, a GUID.
    ///   - tenantSubdomain: `contoso` for `contoso.ciamlogin.com`.
    ///   - challengeTypes: What the app can ask a person for; a browser need not be named.
    /// - Throws: An error for what is no subdomain.
    public convenience init(
        clientId: String, tenantSubdomain: String, challengeTypes: MSALNativeAuthChallengeTypes
    ) throws {
        self.init(
            clientId: clientId, authority: try MSALCIAMAuthority(tenantSubdomain: tenantSubdomain),
            challengeTypes: challengeTypes)
    }

    override func configuration() throws -> Configuration {
        guard authority.isCIAM else { throw MSALNativeAuthInternalError.invalidAuthority }
        var configuration = try super.configuration()
        configuration.challengeTypes = challengeTypes.types
        configuration.capabilities = capabilities.capabilities
        return configuration
    }
}

/// A part of the service to be asked, for its testers.
public final class MSALSliceConfig: NSObject, Sendable {
    /// The slice; native authentication does not use it.
    public let slice: String?
    /// The data centre: `dc` in the address of each call.
    public let dc: String?

    /// A part of the service. Never nil; apps of Microsoft's SDK look.
    public init?(slice: String?, dc: String?) {
        self.slice = slice
        self.dc = dc
    }
}

/// Where an app's accounts are kept: in a file that only its user may read.
public final class MSALCacheConfig: NSObject {
    /// The name of the cache: apps of one user with the same name share a file. The client id by default.
    ///
    /// On Apple's systems this is the name of a keychain group.
    public var keychainSharingGroup: String
    /// The folder of the file, on systems without a keychain; `nativeauth/apps` in the user's configuration folder by
    /// default.
    public var directory: URL?

    init(keychainSharingGroup: String) { self.keychainSharingGroup = keychainSharingGroup }

    /// The file.
    func storage(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> FileStorage {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_"))
        // What is not a letter or a digit is written as its number, so that no name leads out of the folder.
        guard let name = keychainSharingGroup.addingPercentEncoding(withAllowedCharacters: allowed), !name.isEmpty
        else {
            throw NSError.msal(.internal, "keychainSharingGroup is empty.")
        }
        return FileStorage(path: try folder(environment) + "/\(name).json")
    }

    private func folder(_ environment: [String: String]) throws -> String {
        if let directory { return directory.path }
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/nativeauth/apps" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.config/nativeauth/apps" }
        throw NSError.msal(
            .internal, "HOME does not say where accounts are kept. Set it, or set cacheConfig.directory.")
    }
}
