// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth
import Tenant

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
