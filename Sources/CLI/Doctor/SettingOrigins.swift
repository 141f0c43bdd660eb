// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Which value came from where: the same order as in `Profile`, flag, environment, file, built in.
struct SettingOrigins {
    let choice: ProfileChoice
    let environment: [String: String]
    /// The profile as the file has it; nil where there is none, or the file cannot be read.
    let stored: StoredProfile?
    /// The profile that the file names as the one to use.
    let profile: String?

    var settings: [Setting] {
        [
            setting("profile", choice.profile, "PROFILE", profile, builtIn: "local"),
            setting(
                "authority", choice.authority, "AUTHORITY", stored?.authority, builtIn: "the local tenant",
                shown: \.withoutUserInfo),
            setting(
                "issuer", choice.issuer, "ISSUER", stored?.issuer, builtIn: "the authority", shown: \.withoutUserInfo),
            setting("client id", choice.clientID, "CLIENT_ID", fileClientID, builtIn: stored?.clientID ?? "none"),
            setting("CA file", choice.caFile, "CA_FILE", nil, builtIn: "the system's"),
            setting("time-out", choice.timeout.map { "\($0)" }, "TIMEOUT", nil, builtIn: "300 seconds"), folder,
            accounts, storage,
            questions, token,
        ] + others
    }

    private var fileClientID: String? { stored?.hasBuiltInApp == true ? nil : stored?.clientID }

    private func variable(_ name: String) -> String? {
        environment["NATIVEAUTH_" + name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func setting(
        _ name: String, _ flag: String?, _ variable: String, _ file: String?, builtIn: String,
        shown: (String) -> String = { $0 }
    ) -> Setting {
        if let flag { return Setting(name, shown(flag), from: "flag") }
        if let value = self.variable(variable) {
            return Setting(name, shown(value), from: "environment, NATIVEAUTH_\(variable)")
        }
        if let file { return Setting(name, shown(file), from: "config.json") }
        return Setting(name, builtIn, from: "built in")
    }

    private var folder: Setting {
        let path = (try? Profile.configurationFolder(environment)) ?? "none"
        if variable("CONFIG_DIR") != nil {
            return Setting("configuration", path, from: "environment, NATIVEAUTH_CONFIG_DIR")
        }
        let hasBase = environment["XDG_CONFIG_HOME"]?.hasPrefix("/") == true
        return Setting("configuration", path, from: "environment, \(hasBase ? "XDG_CONFIG_HOME" : "HOME")")
    }

    private var accounts: Setting {
        if let path = variable("CACHE_DIR") {
            return Setting("accounts", path, from: "environment, NATIVEAUTH_CACHE_DIR")
        }
        return Setting("accounts", folder.value + "/accounts", from: "below the configuration")
    }

    private var storage: Setting {
        let word = stored?.storage.map { $0 + (stored?.key.map { "+" + $0 } ?? "") }
        return setting("storage", nil, "STORAGE", word, builtIn: StorageChoice.file.word)
    }

    private var questions: Setting {
        for name in ["NATIVEAUTH_NO_INPUT", "CI"] where !["", "0", "false"].contains(environment[name] ?? "") {
            return Setting("questions", "never asked", from: "environment, \(name)")
        }
        return Setting("questions", "asked on the terminal", from: "built in")
    }

    /// Where a token comes from, never the token.
    private var token: Setting {
        let (file, value) = Context.tokenVariables
        for name in [file, value] where environment[name]?.isEmpty == false {
            return Setting("token", "brought by the caller", from: "environment, \(name)")
        }
        return Setting("token", "the account's", from: "built in")
    }

    private static let named = [
        Context.tokenVariables.file, Context.tokenVariables.value, "NATIVEAUTH_ACCESS_TOKEN_FD",
        "NATIVEAUTH_ID_TOKEN", "NATIVEAUTH_ID_TOKEN_FILE", "NATIVEAUTH_ID_TOKEN_FD",
        "NATIVEAUTH_PROFILE", "NATIVEAUTH_AUTHORITY", "NATIVEAUTH_CLIENT_ID", "NATIVEAUTH_CA_FILE",
        "NATIVEAUTH_TIMEOUT", "NATIVEAUTH_NO_INPUT", "NATIVEAUTH_CONFIG_DIR", "NATIVEAUTH_CACHE_DIR",
        "NATIVEAUTH_STORAGE",
    ]

    /// The program's other variables that are set.
    private var others: [Setting] {
        environment.sorted { $0.key < $1.key }.filter {
            Self.known.contains($0.key) && !Self.named.contains($0.key) && $0.key.hasPrefix("NATIVEAUTH_")
                && !$0.value.isEmpty
        }.map { Setting($0.key, $0.value, from: "environment") }
    }

    private static var known: [String] { Topic.flags(of: HelpText.program.commands).map(\.term) + named }

    /// Variables that look like the program's and are not read: mostly a typing mistake. Their values are not shown.
    var findings: [Finding] {
        let known = Self.known
        return environment.keys.filter { $0.hasPrefix("NATIVEAUTH_") && !known.contains($0) }.sorted().map { name in
            let guess = suggestion(for: name, among: known).map { "Did you mean \($0)? " } ?? ""
            return .problem(
                "environment", "\(name) is set, and nothing reads it.",
                guess + "'nativeauth help environment' has the variables.")
        }
    }
}
