// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Looks at the place of the tokens.
struct AccountChecks {
    let client: NativeAuthClient
    /// The token cache.
    let path: String

    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    func run() -> [Finding] {
        let stem = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
        let file = FileChecks.secret("accounts", path, .file)
        return FileChecks.secret("accounts", folder, .folder) + file
            + FileChecks.secret("accounts", stem + ".lock", .file) + FileChecks.parents(of: path)
            + [FileChecks.writable(folder)] + FileChecks.lock(folder) + FileChecks.holder(stem + ".lock")
            + FileChecks.leftovers(in: folder) + content(file)
    }

    /// What is in the cache. One with a problem is left alone: reading it would close it to others.
    private func content(_ file: [Finding]) -> [Finding] {
        guard !file.contains(where: { $0.level == .problem }) else { return [] }
        do throws(AuthError) {
            if try client.cacheIsOfNewerVersion() { throw AuthError(.storage(.newerSchema(0))) }
            guard let account = try client.state().account else { return [.ok("session", "Nobody is signed in.")] }
            return [.ok("session", "Signed in as \(account.username).")]
        } catch {
            let failure = CommandFailure(error)
            return [.problem("session", failure.message, failure.hint ?? "Sign in again: 'nativeauth signin'.")]
        }
    }
}
