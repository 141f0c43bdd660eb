// SPDX-License-Identifier: Apache-2.0

package import Files
import Glibc

/// The right to send a tenant's messages while its database is closed: one process at a time.
///
/// A mail server takes its time, and other commands want the tenant meanwhile. The lock file tells those who open it that
/// the claims in the outbox are of someone who lives.
package struct SendingTurn: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Nil while another process has it.
    package static func attempt(_ folder: TenantFolder) throws(FileError) -> SendingTurn? {
        let file = try FileDescriptor(folder.path + "/sending.lock", O_RDWR | O_CREAT | O_NOFOLLOW)
        return try file.tryLock() ? SendingTurn(file: file) : nil
    }

    private init(file: consuming FileDescriptor) {
        self.file = file
    }
}

extension TenantFolder {
    /// Whether nobody sends messages while the database is closed.
    var isNobodySending: Bool {
        // Who cannot tell leaves the claims alone: they end by themselves.
        (try? SendingTurn.attempt(self)) != nil
    }
}
