// SPDX-License-Identifier: Apache-2.0

import Console

/// `nativeauth config unset`.
struct ConfigUnsetCommand: CLICommand {
    var choice = ProfileChoice()
    var key: SettingKey?
    var whole = false

    static let name = "config unset"
    static let summary = "Take a setting, or a whole profile, out of config.json"

    static var parameters: [Parameter<ConfigUnsetCommand>] {
        [
            .positional("KEY", to: \.key, help: "The setting."),
            .flag("--all", to: \.whole, help: "The whole profile that --profile names."),
            .profile(to: \.choice.profile),
        ]
    }

    static var discussion: String {
        "Accounts are not touched: 'nativeauth signout --all --profile NAME' signs them out first."
    }

    func check() throws(UsageError) {
        if whole == (key != nil) { throw UsageError(command: Self.name, "give a setting, or --all with --profile") }
        if whole, choice.profile == nil { throw UsageError(command: Self.name, "--all needs --profile") }
    }

    func run(_ context: Context) async throws {
        try ConfigurationPlace(context.environment).change { file in
            let profile = try choice.name(in: file, context.environment)
            if let key {
                file.set(key, of: profile, to: nil)
            } else if !file.remove(profile) {
                throw CommandFailure(.configuration, "config.json has no profile '\(profile)'.")
            }
        }
    }
}
