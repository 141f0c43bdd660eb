// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

/// The tenant's files are its owner's alone. What others could have read or changed is not used: nobody would notice
/// otherwise that it is no secret any more.
extension TenantFolder {
    /// Refuses a key or a database that others can read or write, and a folder in which they can replace one.
    func refuseOpenFiles() throws(Problem) {
        try Self.refuse(path, S_IFDIR, letting: 0o022)
        for place in [keyPath, databasePath, databasePath + "-wal", serverPath] {
            try Self.refuse(place, S_IFREG, letting: 0o077)
        }
    }

    /// What is not there, or is something else, fails in its own way when it is opened.
    private static func refuse(_ place: String, _ kind: mode_t, letting others: mode_t) throws(Problem) {
        var facts = stat()
        guard lstat(place, &facts) == 0, facts.st_mode & S_IFMT == kind, facts.st_mode & others != 0 else { return }
        throw .openToOthers(path: place)
    }

    /// Makes the database's file, whatever this process's mask is; SQLite gives the files beside it the same mode.
    func makeDatabaseFile() throws(FileError) {
        do throws(FileError) {
            let file = try FileDescriptor(databasePath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
            try file.setMode(0o600)
        } catch {
            guard error.errno == EEXIST else { throw error }
        }
    }
}
