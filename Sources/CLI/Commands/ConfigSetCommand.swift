// SPDX-License-Identifier: Apache-2.0

import Console
import Wire

/// `nativeauth config set`.
struct ConfigSetCommand: CLICommand {
    var choice = ProfileChoice()
    var key: SettingKey?
    var values: [String] = []

    static let name = "config set"
    static let summary = "Change a setting of config.json"

    static var parameters: [Parameter<ConfigSetCommand>] {
        [
            .positional("KEY", to: \.key, required: true, help: "The setting."),
            .positional("VALUE", to: \.values, required: true, help: "Its value; several for a list."),
            .profile(to: \.choice.profile),
        ]
    }

    static var examples: [Example] {
        [
            Example("nativeauth config set authority contoso --profile work", "A profile of its own."),
            Example("nativeauth config set client_id 5a3d1e00-0000-4000-8000-000000000001 --profile work"),
            Example("nativeauth config set profile work", "Commands use it from now on."),
        ]
    }

    static var discussion: String {
        SettingKey.allCases.map { "\($0.rawValue): \($0.summary)" }.joined(separator: "\n\n")
    }

    func run(_ context: Context) async throws {
        guard let key else { return }
        let value = try key.value(values)
        try ConfigurationPlace(context.environment).change { file in
            let profile = try choice.name(in: file, context.environment)
            if key == .profile, let name = value.string { try file.requireProfile(name) }
            file.set(key, of: profile, to: value)
        }
    }
}

extension ConfigurationFile {
    /// A default that does not exist would break every command.
    fileprivate func requireProfile(_ name: String) throws {
        guard profiles.contains(name) || Profile.builtIn.contains(name) else {
            throw CommandFailure(
                .configuration, "There is no profile '\(name.printable)'.",
                hint: "Make it first: 'nativeauth config init --profile \(name.printable)'.")
        }
    }
}
