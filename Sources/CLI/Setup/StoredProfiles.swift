// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth
import Tenant

/// A profile as `config.json` has it.
struct StoredProfile: Decodable, Sendable {
    var authority: String?
    var issuer: String?
    var clientID: String?
    var challengeTypes: [String]?
    var capabilities: [String]?
    var scopes: [String]?
    var redirect: String?
    var credentialHosts: [String]?
    /// See `StorageChoice`, which alone knows what the two may be.
    var storage: String?
    var key: String?
    /// Whether the tenant is the built-in one, and whether the app is.
    var isBuiltIn = false
    var hasBuiltInApp = false

    enum CodingKeys: String, CodingKey {
        case authority
        case issuer
        case clientID = "client_id"
        case challengeTypes = "challenge_types"
        case capabilities
        case scopes
        case redirect = "redirect_uri"
        case credentialHosts = "credential_hosts"
        case storage
        case key
    }

    var challenges: ChallengeTypes? {
        challengeTypes.map { ChallengeTypes($0.map { $0 == "password" ? .password : .code }) }
    }

    var abilities: Capabilities? {
        capabilities.map { names in
            Capabilities(
                names.compactMap {
                    $0 == "mfa_required" ? .multiFactor : $0 == "registration_required" ? .registration : nil
                })
        }
    }
}

/// The whole of `config.json`.
struct StoredProfiles: Decodable, Sendable {
    /// The profile that is meant where nobody names one.
    var profile: String?
    var profiles: [String: StoredProfile]?

    /// The profile of this name: the file's, or one that is built in, of which the file may change a part.
    func named(_ name: String) -> StoredProfile? {
        guard var profile = profiles?[name] else { return Self.builtIn(name) }
        // Another tenant has other apps.
        if profile.authority == nil, profile.issuer == nil, let base = Self.builtIn(name) {
            profile.isBuiltIn = true
            profile.hasBuiltInApp = profile.clientID == nil
            profile.clientID = profile.clientID ?? base.clientID
        }
        return profile
    }

    private static func builtIn(_ name: String) -> StoredProfile? {
        switch name {
        case "local": StoredProfile(builtInApp: AppRegistration.passwordSampleID)
        case "local-code": StoredProfile(builtInApp: AppRegistration.codeSampleID)
        default: nil
        }
    }

    /// What the file says; nothing where there is none.
    static func read(_ path: String) throws(CommandFailure) -> StoredProfiles {
        guard let data = try ConfigurationPlace.content(of: path) else { return StoredProfiles() }
        guard let file = try? JSONDecoder().decode(StoredProfiles.self, from: data) else {
            throw ConfigurationFile.unreadable(path)
        }
        return file
    }
}

extension StoredProfile {
    fileprivate init(builtInApp: String) {
        clientID = builtInApp
        isBuiltIn = true
        hasBuiltInApp = true
    }
}
