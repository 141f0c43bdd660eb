// SPDX-License-Identifier: Apache-2.0

package import Files
import Glibc

/// The right to have a tenant's database open: one process at a time.
///
/// The lock file tells others where to turn meanwhile: a process that serves the tenant writes its URL into it. The lock
/// itself is `flock`, so it ends with the process, and a URL in a file that nobody has locked means nothing.
package struct TenantLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// What came of an attempt.
    package enum Attempt: ~Copyable {
        case acquired(TenantLock)
        /// Another process serves the tenant.
        case served(ServedPlace)
        /// Another process has the tenant open for a moment.
        case busy
    }

    package static func attempt(_ folder: TenantFolder) throws(FileError) -> Attempt {
        try FileDescriptor.createFolders(folder.path)
        let file = try FileDescriptor(folder.path + "/tenant.lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        if try file.tryLock() {
            // Who waited here while the folder was replaced has locked a file that is not the tenant's any more.
            guard try file.isStill(at: folder.path + "/tenant.lock") else { return .busy }
            // What a server that was killed has left.
            if try file.facts().size > 0 { try file.truncate() }
            return .acquired(TenantLock(file: file))
        }
        return ServedPlace(lockFile: try file.readToEnd(limit: 16 * 1024)).map { .served($0) } ?? .busy
    }

    private init(file: consuming FileDescriptor) {
        self.file = file
    }

    /// Tells other processes where the tenant answers.
    package func announce(_ place: ServedPlace) throws(FileError) {
        try file.truncate()
        try file.write(Array(place.lockFile.utf8))
    }

    /// Takes the announcement back, before the server stops answering.
    package func withdraw() throws(FileError) {
        try file.truncate()
    }
}
