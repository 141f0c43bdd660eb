// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials
import Glibc

/// A folder with a copy of a tenant: its database, its master key, and the certificate that it made. Whoever has it has the
/// tenant.
package struct TenantBackup: Sendable {
    /// Absolute.
    let path: String

    package init(path: String) {
        self.path = path
    }

    /// Makes the folder, as a whole or not at all.
    func make(of tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws {
        guard access(path, F_OK) != 0 else { throw FileError("create", path, errno: EEXIST) }
        let partial = path + ".partial-" + UUID().uuidString.lowercased()
        do {
            try FileDescriptor.createFolders(partial)
            try tenant.provider.database.copy(to: partial + "/" + TenantFolder.databaseName, tell)
            try copyFiles(from: tenant.folder.path, to: partial)
            guard rename(partial, path) == 0 else { throw FileError("create", path, errno: errno) }
        } catch {
            try? FileManager.default.removeItem(atPath: partial)
            throw error
        }
    }

    /// Copies what is there of the files beside the database.
    private func copyFiles(from source: String, to target: String) throws(FileError) {
        let source = try FileDescriptor(folder: source)
        let target = try FileDescriptor(folder: target)
        for name in TenantFolder.filesBesideDatabase {
            do throws(FileError) {
                let data = try FileDescriptor(name, in: source, O_RDONLY | O_NONBLOCK).readToEnd(limit: 1024 * 1024)
                try target.replace(name, with: data)
            } catch  where error.errno == ENOENT {
                continue
            }
        }
        try target.sync()
    }
}
