// SPDX-License-Identifier: Apache-2.0

import Console

/// `nativeauth config path`.
struct ConfigPathCommand: CLICommand {
    static let name = "config path"
    static let summary = "Print where config.json is, whether or not it exists"

    func run(_ context: Context) async throws {
        try context.output.line(ConfigurationPlace(context.environment).path)
    }
}
