// SPDX-License-Identifier: Apache-2.0

import Console

extension Profile {
    /// The profiles that can be named: those of `config.json`, and those that are built in. A configuration that cannot be
    /// read has none; who uses one of them hears why.
    static func names(environment: [String: String]) -> [String] {
        let folder = try? configurationFolder(environment)
        let stored = folder.flatMap { try? StoredProfiles.read($0 + "/config.json").profiles } ?? [:]
        return Set(stored.keys.filter(isName)).union(builtIn).sorted()
    }
}
