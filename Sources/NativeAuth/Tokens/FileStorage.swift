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
    private let folder: String
    private let name: String
    private let time: TimeSource

    /// How long to wait for another process; a request of its may be under way.
    private static let patience: Duration = .seconds(20)

    /// A cache at `path`. Nothing is created before the first change.
    public init(path: String, time: TimeSource = .system) {
        self.path = path
        self.time = time
        let slash = path.lastIndex(of: "/")
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The path.
    public var place: String { path }

    /// Reads the file, after a look at who else could have written or read it.
    public func load() throws(StorageProblem) -> Data? {
        let problem: String
        do throws(FileError) {
            // A link could lead anywhere and a FIFO would block, so neither is followed or waited for.
            let file = try FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let facts = try file.facts()
            if facts.isRegularFile, facts.owner == geteuid() {
                if facts.mode & 0o077 != 0 { try file.setMode(0o600) }
                return try file.readToEnd(limit: TokenCache.sizeLimit)
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
        let directory = try openFolder()
        directory.removeLeftovers(of: name, at: time.now())
        do { try directory.replace(name, with: data) } catch { throw StorageProblem(error) }
    }

    /// Renames the file to `….corrupt-{time}` beside it.
    public func setAside() throws(StorageProblem) -> String {
        // The time for people, and a part that differs: what was put aside before is not written over.
        let time = time.now().formatted(.iso8601).replacing(":", with: "").replacing("-", with: "")
        let stamp = "\(time)-\(UUID().uuidString.prefix(8).lowercased())"
        let directory = try openFolder()
        do { try directory.rename(name, to: "\(name).corrupt-\(stamp)") } catch { throw StorageProblem(error) }
        return "\(path).corrupt-\(stamp)"
    }

    /// Runs `body` with the lock file locked.
    public func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        let lock = try await acquire()
        let value = try await body()
        _ = consume lock  // closing the file releases the lock; so does leaving by an error
        return value
    }

    private func acquire() async throws(AuthError) -> FileDescriptor {
        let lock: FileDescriptor
        do throws(StorageProblem) { lock = try openLock() } catch { throw AuthError(.storage(error)) }
        let start = ContinuousClock.now
        while try !taken(lock) {
            guard ContinuousClock.now - start < Self.patience else { throw AuthError(.storage(.busy(path: path))) }
            // Some spread, so that waiting processes do not come back all at once.
            do { try await time.sleep(.milliseconds(Int.random(in: 25...75))) } catch { throw AuthError(.cancelled) }
        }
        return lock
    }

    private func taken(_ lock: borrowing FileDescriptor) throws(AuthError) -> Bool {
        do throws(FileError) { return try lock.tryLock() } catch { throw AuthError(.storage(StorageProblem(error))) }
    }

    private func openLock() throws(StorageProblem) -> FileDescriptor {
        let directory = try openFolder()
        let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
        do { return try FileDescriptor(stem + ".lock", in: directory, O_RDWR | O_CREAT) } catch {
            throw StorageProblem(error)
        }
    }

    private func openFolder() throws(StorageProblem) -> FileDescriptor {
        let problem: String
        do throws(FileError) {
            try FileDescriptor.createFolders(folder)
            let directory = try FileDescriptor(folder: folder)
            let facts = try directory.facts()
            if facts.owner == geteuid(), facts.mode & 0o022 == 0 { return directory }
            problem = facts.owner == geteuid() ? "other users may write to it" : "it belongs to another user"
        } catch {
            throw StorageProblem(error)
        }
        throw .insecure(path: folder, problem: problem)
    }
}

extension StorageProblem {
    init(_ error: FileError) {
        self = .failed(operation: error.operation, path: error.path, errno: error.errno)
    }
}
