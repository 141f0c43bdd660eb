// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
import NativeAuth
import Wire

/// `config.json` as a value: the default profile, and the profiles. Members that nobody here knows are kept.
struct ConfigurationFile: Equatable {
    private(set) var root: [String: JSONValue] = [:]

    static let sizeLimit = 1024 * 1024

    init() {}

    init(_ data: Data, at path: String) throws(CommandFailure) {
        guard case .object(let root)? = JSONValue(json: data), root["profiles"].map({ $0.object != nil }) ?? true else {
            throw Self.unreadable(path)
        }
        self.root = root
    }

    /// What is said of a file that is no configuration.
    static func unreadable(_ path: String) -> CommandFailure {
        CommandFailure(
            .configuration, "\(path.printable) is no configuration: it has to be a JSON object with 'profiles'.",
            hint: "Correct the file, or move it away.")
    }

    var data: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(JSONValue.object(root)) + Data("\n".utf8)
        }
    }

    /// The names of the profiles, sorted.
    var profiles: [String] { (root["profiles"]?.object ?? [:]).keys.sorted() }

    /// What the file says; nil where it says nothing.
    func value(_ key: SettingKey, of profile: String) -> JSONValue? {
        key == .profile ? root["profile"] : root["profiles"]?[profile]?[key.rawValue]
    }

    /// - Parameter value: Nil to take it away; a profile that has nothing left goes with it.
    mutating func set(_ key: SettingKey, of profile: String, to value: JSONValue?) {
        guard key != .profile else {
            root["profile"] = value
            return
        }
        var profiles = root["profiles"]?.object ?? [:]
        var entry = profiles[profile]?.object ?? [:]
        entry[key.rawValue] = value
        profiles[profile] = entry.isEmpty ? nil : .object(entry)
        root["profiles"] = profiles.isEmpty ? nil : .object(profiles)
    }

    /// - Returns: Whether there was such a profile.
    mutating func remove(_ profile: String) -> Bool {
        guard var profiles = root["profiles"]?.object, profiles.removeValue(forKey: profile) != nil else {
            return false
        }
        root["profiles"] = profiles.isEmpty ? nil : .object(profiles)
        if root["profile"]?.string == profile { root["profile"] = nil }
        return true
    }
}
