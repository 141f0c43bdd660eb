// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Looks at the place of the tokens.
struct AccountChecks {
    let client: NativeAuthClient
    let profile: Profile
    let storage: any TokenStorage

    /// The token cache, where it is a file.
    private var path: String { profile.accountFile }
    private var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }
    /// The path of a file of this profile, by its ending.
    private func file(_ ending: String) -> String { "\(folder)/\(profile.name).\(ending)" }

    func run() -> [Finding] {
        let cache = profile.storage.isFile ? FileChecks.secret("accounts", path, .file) : []
        return FileChecks.secret("accounts", folder, .folder) + cache
            + FileChecks.secret("accounts", file("lock"), .file) + FileChecks.parents(of: path)
            + [FileChecks.writable(folder)] + FileChecks.lock(folder) + FileChecks.holder(file("lock"))
            + FileChecks.leftovers(in: folder) + [place] + otherCaches + content(cache)
    }

    /// Where the tokens are, and what that means.
    private var place: Finding {
        switch profile.storage {
        case .file: .ok("storage", "Tokens are in a plain file, readable to its owner.")
        case .encryptedFile(let key):
            .ok("storage", "Tokens are in an encrypted file; its key is in \(key.words)\(Self.life(of: key)).")
        case .kernelKeyring: .ok("storage", "Tokens are \(storage.place)\(Self.life(of: .kernel)).")
        case .secretService: .ok("storage", "Tokens are \(storage.place).")
        }
    }

    private static func life(of keyring: Keyring) -> String {
        keyring == .kernel ? ", until the machine restarts" : ""
    }

    /// Files of a storage that the profile had before. Nobody looks at them any more, and they may hold tokens.
    private var otherCaches: [Finding] {
        [StorageChoice.file, .encryptedFile(key: .kernel)].compactMap { other in
            let path = other.path(folder: folder, profile: profile.name)
            guard !profile.storage.isFile || path != self.path,
                FileChecks.facts(path, following: false) != nil
            else { return nil }
            return .note(
                "storage", "\(path) is of another storage than the one that is chosen.",
                "Sign out with the storage that it belongs to, by NATIVEAUTH_STORAGE, or delete it.")
        }
    }

    /// What is in the cache. A file with a problem is left alone: reading it would close it to others.
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
