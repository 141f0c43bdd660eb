// SPDX-License-Identifier: Apache-2.0

import Files
public import FoundationEssentials
import Glibc

/// A token cache in a file: mode 0600 in a folder of mode 0700, replaced as a whole, locked for changes.
///
/// A reader needs no lock, since a rename gives it the old file or the new one. Writers take `flock` on a file of its
/// own beside the cache, which the kernel releases when a process dies, and which is never deleted.
public struct FileStorage: TokenStorage {
    /// The cache file's path.
    public let path: String
    private let folder: CacheFolder
    private let time: TimeSource

    /// A cache at `path`. Nothing is created before the first change.
    ///
    /// - Parameters:
    ///   - path: The file's path; the lock file is beside it.
    ///   - time: The clock, for the lock and for the name of what is put aside.
    public init(path: String, time: TimeSource = .system) {
        self.path = path
        self.time = time
        folder = CacheFolder(of: path)
    }

    /// The path.
    public var place: String { path }

    /// Reads the file, after a look at who else could have written or read it.
    public func load() throws(StorageProblem) -> Data? { try load(limit: TokenCache.sizeLimit) }

    /// Reads the file; one that is longer than `limit` is no cache.
    func load(limit: Int) throws(StorageProblem) -> Data? {
        guard let directory = try folder.openIfThere() else { return nil }
        let problem: String
        do throws(FileError) {
            // A link could lead anywhere and a FIFO would block, so neither is followed or waited for.
            let file = try FileDescriptor(folder.name, in: directory, O_RDONLY | O_NONBLOCK)
            let facts = try file.facts()
            if facts.isRegularFile, facts.owner == geteuid() {
                if facts.mode & 0o077 != 0 { try file.setMode(0o600) }
                return try file.readToEnd(limit: limit)
            }
            problem = facts.isRegularFile ? "it belongs to another user" : "it is not a regular file"
        } catch {
            switch error.errno {
            case ENOENT, ENOTDIR: return nil
            case ELOOP: throw .insecure(path: path, problem: "it is a symbolic link")
            case EFBIG: throw .corrupt(path: path)
            default: throw StorageProblem(error)
            }
        }
        throw .insecure(path: path, problem: problem)
    }

    /// Writes a new file and renames it over the old one; both are on the disk before this returns.
    public func save(_ data: Data) throws(StorageProblem) {
        // What cannot be read here is replaced; the caller has looked at it before.
        if let current = try? load(), current == data { return }
        let directory = try folder.open()
        directory.removeLeftovers(of: folder.name, at: time.now())
        do { try directory.replace(folder.name, with: data) } catch { throw StorageProblem(error) }
    }

    /// Renames the file to `….corrupt-{time}` beside it.
    public func setAside() throws(StorageProblem) -> String {
        try setAside(as: CacheFolder.stamp(at: time.now()))
    }

    /// Renames the file to one with another ending beside it; one of this name is replaced.
    func setAside(as ending: String) throws(StorageProblem) -> String {
        let directory = try folder.open()
        do { try directory.rename(folder.name, to: "\(folder.name).\(ending)") } catch { throw StorageProblem(error) }
        return "\(path).\(ending)"
    }

    /// Deletes the file, and those that were put aside beside it. What the disk had may be found on it until it is written
    /// over; no file system promises more.
    public func remove() throws(StorageProblem) {
        let directory = try folder.open()
        let aside = [".corrupt-", ".without-key"].map { folder.name + $0 }
        do {
            try directory.removeFiles { name in name == folder.name || aside.contains { name.hasPrefix($0) } }
        } catch {
            throw StorageProblem(error)
        }
    }

    /// Runs `body` with the lock file locked.
    public func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        try await CacheLock(path: path, time: time).locked(body)
    }
}
