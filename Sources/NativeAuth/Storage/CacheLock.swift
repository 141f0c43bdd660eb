// SPDX-License-Identifier: Apache-2.0

import Files
import Glibc

/// One process at a time, and one task in it: `flock` on a file of its own beside the cache, which the kernel releases when
/// a process dies, and which is never deleted.
struct CacheLock: Sendable {
    /// The cache's path.
    let path: String
    let time: TimeSource

    /// How long to wait for another process; a request of its may be under way.
    private static let patience: Duration = .seconds(20)

    /// Runs `body` with the lock file locked.
    func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        let lock = try await acquire()
        let value = try await body()
        _ = consume lock  // closing the file releases the lock; so does leaving by an error
        return value
    }

    private func acquire() async throws(AuthError) -> FileDescriptor {
        let lock: FileDescriptor
        do throws(StorageProblem) { lock = try open() } catch { throw AuthError(.storage(error)) }
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

    /// `cache.json` and `cache.encrypted` have one lock: they are the same account's.
    private func open() throws(StorageProblem) -> FileDescriptor {
        let folder = CacheFolder(of: path)
        let directory = try folder.open()
        let ending = [".json", ".encrypted"].first { folder.name.hasSuffix($0) } ?? ""
        do {
            return try FileDescriptor(folder.name.dropLast(ending.count) + ".lock", in: directory, O_RDWR | O_CREAT)
        } catch {
            throw StorageProblem(error)
        }
    }
}
