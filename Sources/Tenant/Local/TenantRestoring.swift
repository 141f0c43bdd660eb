// SPDX-License-Identifier: Apache-2.0

import Files
package import FoundationEssentials
import Glibc

/// The way back from a copy. What lies in its folder may have gone through many hands, so nothing in it is followed, waited
/// for or believed before it has been looked at.
extension TenantBackup {
    /// Why a backup is not restored.
    package enum Unusable: Error, Sendable {
        /// There is no such folder, or no tenant in it.
        case missing
        /// It cannot be opened.
        case problem(TenantFolder.Problem)
    }

    /// Puts the copy where the tenant is, in one step; what was there is moved beside it.
    ///
    /// To be called by the holder of the tenant's lock only.
    ///
    /// - Returns: Where the former tenant is now; nil where there was none.
    package func restore(to folder: TenantFolder, at now: Date) throws -> String? {
        guard !folder.isShared else { throw Database.KeptElsewhere() }
        let staged = folder.path + ".restored-" + UUID().uuidString.lowercased()
        do {
            try stage(in: staged)
            // Both are there, for the lock's file is in the tenant's folder: the two change places at once.
            try FileDescriptor.exchange(staged, folder.path)
        } catch {
            try? FileManager.default.removeItem(atPath: staged)
            throw error
        }
        return try putAside(staged, folder, now)
    }

    /// The log beside the database is there where the folder is no copy that was made, but a tenant whose process was killed,
    /// as the former one that another restoring has moved aside: what was acknowledged last is in it.
    private static let files =
        [TenantFolder.databaseName, TenantFolder.databaseName + "-wal"] + TenantFolder.filesBesideDatabase

    /// A copy of the backup that has been opened once: what cannot be opened takes nobody's place.
    private func stage(in staged: String) throws {
        guard access(path + "/" + TenantFolder.databaseName, R_OK) == 0 else { throw Unusable.missing }
        try FileDescriptor.createFolders(staged)
        let source = try FileDescriptor(folder: path)
        let target = try FileDescriptor(folder: staged)
        for name in Self.files { try Self.copy(name, path, from: source, to: target) }
        do throws(TenantFolder.Problem) {
            try Self.open(TenantFolder(path: staged))
        } catch {
            throw Unusable.problem(error.moved(from: staged, to: path))
        }
        try target.sync()
    }

    /// Copies a file if it is there; a link or a pipe is none.
    private static func copy(
        _ name: String, _ path: String, from source: borrowing FileDescriptor, to target: borrowing FileDescriptor
    ) throws(FileError) {
        do throws(FileError) {
            let file = try FileDescriptor(name, in: source, O_RDONLY | O_NONBLOCK)
            guard try file.facts().isRegularFile else { throw FileError("copy", path + "/" + name, errno: EINVAL) }
            let copy = try FileDescriptor(name, in: target, O_WRONLY | O_CREAT | O_EXCL)
            while case let bytes = try file.read(atMost: 1024 * 1024), !bytes.isEmpty { try copy.write(bytes) }
            try copy.sync()
        } catch {
            guard error.errno == ENOENT, error.operation == "open" else { throw error }
        }
    }

    /// Looks at every page: damage in the middle of a database shows only to whoever comes there.
    private static func open(_ copy: TenantFolder) throws(TenantFolder.Problem) {
        let tenant = try copy.open(name: "", origin: "", cores: 1)
        guard tenant.isUndamaged else { throw .damaged(path: copy.databasePath) }
        do {
            try tenant.database.transaction { connection in try tenant.audit("tenant restored", &connection) }
        } catch {
            throw .damaged(path: copy.databasePath)
        }
        try copy.updateCard(of: tenant)
    }

    /// Two restorings may come within a second.
    private func putAside(_ former: String, _ folder: TenantFolder, _ now: Date) throws(FileError) -> String? {
        guard access(former + "/" + TenantFolder.databaseName, F_OK) == 0 else {
            try? FileManager.default.removeItem(atPath: former)
            return nil
        }
        let aside = folder.path + ".before-" + now.formatted(Date.ISO8601FormatStyle()).filter { $0 != ":" }
        for number in 1...1000 {
            let name = number == 1 ? aside : "\(aside)-\(number)"
            if rename(former, name) == 0 { return name }
            guard errno == ENOTEMPTY || errno == EEXIST else { break }
        }
        throw FileError("rename", former, errno: errno)
    }
}

extension TenantFolder.Problem {
    /// The same about the folder that a copy was made of.
    fileprivate func moved(from copy: String, to original: String) -> Self {
        func place(_ path: String) -> String {
            path.hasPrefix(copy) ? original + path.dropFirst(copy.utf8.count) : path
        }
        return switch self {
        case .keyMissing(let path): .keyMissing(path: place(path))
        case .keyDamaged(let path): .keyDamaged(path: place(path))
        case .openToOthers(let path): .openToOthers(path: place(path))
        case .file(let error): .file(FileError(error.operation, place(error.path), errno: error.errno))
        case .database(let error, let path): .database(error, path: place(path))
        case .newer(let path): .newer(path: place(path))
        case .damaged(let path): .damaged(path: place(path))
        case .keyOfAnother(let path): .keyOfAnother(path: place(path))
        case .noServer(let path): .noServer(path: place(path))
        }
    }
}
