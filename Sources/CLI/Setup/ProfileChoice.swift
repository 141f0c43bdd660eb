// SPDX-License-Identifier: Apache-2.0

import Console
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
