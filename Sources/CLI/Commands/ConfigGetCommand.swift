// SPDX-License-Identifier: Apache-2.0

import Console
import Wire

/// `nativeauth config get`.
struct ConfigGetCommand: CLICommand {
    var choice = ProfileChoice()
    var key: SettingKey?

    static let name = "config get"
    static let summary = "Print a setting of config.json"

    static var parameters: [Parameter<ConfigGetCommand>] {
        [.positional("KEY", to: \.key, required: true, help: "The setting."), .profile(to: \.choice.profile)]
    }

    static var discussion: String {
        """
        Prints what the file says, one line for each item of a list, and exits with 1 where it says nothing. What a command \
        would really use, from flags, environment and file together, is in 'nativeauth doctor'.
        """
    }

    func run(_ context: Context) async throws {
        let file = try ConfigurationPlace(context.environment).read()
        guard let key, let value = file.value(key, of: try choice.name(in: file, context.environment)) else {
            throw EndedQuietly(status: .failed)
        }
        for line in SettingKey.lines(value) { try context.output.line(line.printable) }
    }
}
