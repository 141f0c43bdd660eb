// SPDX-License-Identifier: Apache-2.0

import Console
import Wire

/// `nativeauth config list`.
struct ConfigListCommand: CLICommand {
    var json = false

    static let name = "config list"
    static let summary = "Print everything that config.json says"

    static var parameters: [Parameter<ConfigListCommand>] { [.json(to: \.json)] }

    func run(_ context: Context) async throws {
        let place = try ConfigurationPlace(context.environment)
        let file = try place.read()
        if json {
            let head: [String: JSONValue] = ["schema": .integer(1), "path": .string(place.path)]
            return try context.print(json: JSONValue.object(head.merging(file.root) { mine, _ in mine }))
        }
        if let name = file.value(.profile, of: "") {
            try context.output.line("profile=\(name.string?.printable ?? "")")
        }
        for profile in file.profiles {
            for key in SettingKey.allCases where key != .profile {
                guard let value = file.value(key, of: profile) else { continue }
                let text = SettingKey.lines(value).joined(separator: " ")
                try context.output.line("\(profile.printable).\(key.rawValue)=\(text.printable)")
            }
        }
    }
}
