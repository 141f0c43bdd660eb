// SPDX-License-Identifier: Apache-2.0

/// Looks at the flow that was interrupted: its file holds a continuation token.
enum KeptFlowChecks {
    static func run(_ profile: Profile, environment: [String: String]) -> [Finding] {
        guard let file = KeptFile(profile: profile.name, environment: environment) else { return [] }
        return FileChecks.secret("interrupted flow", file.folder, .folder)
            + FileChecks.secret("interrupted flow", file.path, .file)
    }
}
