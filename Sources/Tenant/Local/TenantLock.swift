// SPDX-License-Identifier: Apache-2.0

package import Files
import FoundationEssentials
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
        /// Another process serves the tenant at this URL.
        case served(url: String)
        /// Another process has the tenant open for a moment.
        case busy
    }

    package static func attempt(_ folder: TenantFolder) throws(FileError) -> Attempt {
        try FileDescriptor.createFolders(folder.path)
        let file = try FileDescriptor(folder.path + "/tenant.lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        if try file.tryLock() {
            // What a server that was killed has left.
            if try file.facts().size > 0 { try file.truncate() }
            return .acquired(TenantLock(file: file))
        }
        let url = String(decoding: try file.readToEnd(limit: 4096), as: UTF8.self)
        return url.hasSuffix("\n") ? .served(url: String(url.dropLast())) : .busy
    }

    private init(file: consuming FileDescriptor) {
        self.file = file
    }

    /// Tells other processes where the tenant answers.
    package func announce(url: String) throws(FileError) {
        try file.truncate()
        try file.write(Array((url + "\n").utf8))
    }

    /// Takes the announcement back, before the server stops answering.
    package func withdraw() throws(FileError) {
        try file.truncate()
    }
}
