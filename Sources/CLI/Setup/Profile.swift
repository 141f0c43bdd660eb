// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import NativeAuth
import Tenant
import Wire

/// What the command line says about where to sign in.
struct ProfileChoice: Equatable {
    var profile: String?
    var authority: String?
    var issuer: String?
    var clientID: String?
    var caFile: String?
    var timeout: Duration?
    var debug = DebugChoice()

    static func rows<Root>(within path: WritableKeyPath<Root, ProfileChoice>) -> [Parameter<Root>] {
        let rows: [Parameter<ProfileChoice>] = [
            .profile(to: \.profile),
            .option(
                "--authority", value: "URL", to: \.authority,
                help: "The tenant's address, instead of the profile's. [NATIVEAUTH_AUTHORITY]"),
            .option(
                "--issuer", value: "URL", to: \.issuer,
                help: "Another OpenID provider, instead of a tenant, for sign-ins in a browser. [NATIVEAUTH_ISSUER]"),
            .option(
                "--client-id", value: "ID", to: \.clientID,
                help: "The app's client id, instead of the profile's. [NATIVEAUTH_CLIENT_ID]"),
            .option(
                "--ca-file", value: "FILE", to: \.caFile,
                help: "Certificate authorities in PEM, instead of the system's. [NATIVEAUTH_CA_FILE]"),
            .option(
                "--timeout", value: "TIME", to: \.timeout,
                help: "How long to wait for the tenant in all, as 30s or 2m. [NATIVEAUTH_TIMEOUT]"),
        ]
        return rows.within(path, section: "Tenant") + DebugChoice.rows(within: path.appending(path: \.debug))
    }
}

extension ProfileChoice {
    /// Whether no flag says whose session is meant.
    var namesNothing: Bool { profile == nil && authority == nil && issuer == nil && clientID == nil }

    /// The profile's name by the flag or the environment; nil where neither says one.
    func profile(_ environment: [String: String]) -> String? {
        profile ?? environment["NATIVEAUTH_PROFILE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The name of the profile that is meant, which need not exist yet.
    func name(in file: ConfigurationFile, _ environment: [String: String]) throws(CommandFailure) -> String {
        try Profile.checkName(profile(environment) ?? file.value(.profile, of: "")?.string ?? "local")
    }
}

extension Parameter {
    /// The row that says which profile is meant.
    static func profile(to path: WritableKeyPath<Root, String?>) -> Self {
        .option(
            "--profile", value: "NAME", to: path,
            help: "The profile; 'local' unless config.json names another. [NATIVEAUTH_PROFILE]")
    }
}

/// A tenant, an app, and where the account is kept. Flags come first, then the environment, then the file.
struct Profile: Sendable {
    let name: String
    let authority: Authority
    let clientID: String
    let challengeTypes: ChallengeTypes
    let capabilities: Capabilities
    let scopes: [String]
    /// Where a browser is sent to after a sign-in; nil where nobody has said.
    let redirect: String?
    /// The servers that other programs may get its token for.
    let credentialHosts: [CredentialHost]
    let storage: StorageChoice
    /// The file of the tokens, or the path that an item of a keyring is named after.
    let accountFile: String
    /// Certificate authorities that replace the system's; nil for the system's.
    let caFile: String?
    /// How long a command waits for the tenant, all its requests together; nil for as long as each takes.
    let timeout: Duration?
    /// Whether the tenant is the one on this machine.
    let isLocal: Bool

    init(_ choice: ProfileChoice, environment: [String: String]) throws {
        func value(_ flag: String?, _ variable: String) -> String? {
            flag ?? environment["NATIVEAUTH_" + variable].flatMap { $0.isEmpty ? nil : $0 }
        }
        let folder = try Profile.configurationFolder(environment)
        let file = try StoredProfiles.read(folder + "/config.json")
        name = try Profile.checkName(choice.profile(environment) ?? file.profile ?? "local")
        let stored = file.named(name)
        let address = try ProviderAddress.chosen(choice, environment, stored)
        guard let address = address ?? (stored?.isBuiltIn == true ? .tenant(Profile.localAuthority) : nil) else {
            throw CommandFailure(
                .configuration, "There is no profile '\(name)'.",
                hint: "Make it with 'nativeauth config init --profile \(name)', or give --authority and --client-id.")
        }
        guard let client = value(choice.clientID, "CLIENT_ID") ?? stored?.clientID else {
            throw CommandFailure(.configuration, "The profile '\(name)' has no client id.", hint: "Give --client-id.")
        }
        authority = try address.authority
        clientID = client
        challengeTypes = stored?.challenges ?? [.code, .password]
        capabilities = stored?.abilities ?? [.multiFactor, .registration]
        scopes = stored?.scopes ?? []
        redirect = stored?.redirect
        credentialHosts = try (stored?.credentialHosts ?? []).map(Profile.credentialHost)
        storage = try StorageChoice.chosen(environment: environment, stored: stored, profile: name)
        accountFile = storage.path(folder: value(nil, "CACHE_DIR") ?? folder + "/accounts", profile: name)
        caFile = value(choice.caFile, "CA_FILE")
        timeout = try choice.timeout ?? value(nil, "TIMEOUT").map(Profile.duration)
        isLocal = stored?.isBuiltIn == true && address == .tenant(Profile.localAuthority)
    }

    /// The local tenant under its name, so that a command needs not open it to know its address.
    private static let localAuthority = "\(TenantDefaults.origin)/\(TenantDefaults.name)"

    static func configurationFolder(_ environment: [String: String]) throws(CommandFailure) -> String {
        if let folder = environment["NATIVEAUTH_CONFIG_DIR"], !folder.isEmpty { return folder }
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/nativeauth" }
        if let home = environment["HOME"], home.hasPrefix("/") {
            return (home == "/" ? "" : home) + "/.config/nativeauth"
        }
        throw CommandFailure(
            .configuration, "Neither HOME nor NATIVEAUTH_CONFIG_DIR says where accounts are kept.",
            hint: "Set HOME to a folder of yours.")
    }

    private static func credentialHost(_ text: String) throws(CommandFailure) -> CredentialHost {
        guard let host = CredentialHost(text) else {
            throw CommandFailure(
                .configuration, "'\(text.printable)' in credential_hosts is no host that may have a token.",
                hint: CredentialHost.spelling)
        }
        return host
    }

    private static func duration(_ text: String) throws(CommandFailure) -> Duration {
        guard let duration = Duration(spelled: text) else {
            throw CommandFailure(.usage, "NATIVEAUTH_TIMEOUT is '\(text.printable)'; write 30s or 2m.")
        }
        return duration
    }

    /// The profiles that need no file.
    static let builtIn = ["local", "local-code"]

    static func checkName(_ text: String) throws(CommandFailure) -> String {
        guard isName(text) else { throw badName(text) }
        return text
    }

    static func badName(_ text: String) -> CommandFailure {
        CommandFailure(
            .usage, "'\(text.printable)' cannot be a profile's name: use letters, digits, '.', '_' and '-'.")
    }

    static func isName(_ text: String) -> Bool {
        let allowed = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return allowed && (1...64).contains(text.utf8.count) && text != "." && text != ".."
    }
}

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

extension Authority.Invalid {
    var sentence: String {
        switch self {
        case .notAURL(let text):
            "'\(text.shownAddress)' is no address of a tenant: it has to be like https://contoso.ciamlogin.com."
        case .insecure(let text): "'\(text.shownAddress)' is not https. Plain http is for this machine only."
        case .noTenant(let text):
            "'\(text.shownAddress)' does not name the tenant: put its id behind the host, as in https://HOST/TENANT."
        }
    }
}

extension FileError {
    var sentence: String {
        "Cannot \(operation) \(path.printable): \(String(cString: strerror(errno)))."
    }
}
