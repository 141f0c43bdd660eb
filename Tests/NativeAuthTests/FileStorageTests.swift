// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import NativeAuth
import Synchronization
import TenantTesting
import Testing

/// The cache file, and who else may touch it.
struct FileStorageTests {
    private let folder: TemporaryFolder
    private let storage: FileStorage

    init() throws {
        folder = try TemporaryFolder()
        storage = FileStorage(path: folder.path + "/a/b/cache.json")
    }

    private func problem(_ body: () throws -> Void) -> StorageProblem? {
        do { try body() } catch { return error as? StorageProblem }
        return nil
    }

    private func isInsecure(_ problem: StorageProblem?) -> Bool {
        if case .insecure = problem { true } else { false }
    }

    @Test func nothingIsThereAtFirst() throws {
        #expect(try storage.load() == nil)
        #expect(try folder.names().isEmpty)
        #expect(storage.place == storage.path)
    }

    @Test func contentComesBack() throws {
        try storage.save(Data("one".utf8))
        try storage.save(Data("two".utf8))
        #expect(try storage.load() == Data("two".utf8))
        #expect(try folder.names("a/b") == ["cache.json"])
    }

    @Test("Rule 88: modes are for the owner alone") func modesAreForTheOwnerAlone() throws {
        try storage.save(Data("one".utf8))
        #expect(folder.mode("a/b/cache.json") == 0o600)
        #expect(folder.mode("a") == 0o700)
        #expect(folder.mode("a/b") == 0o700)
    }

    @Test func lockFileIsForTheOwnerAlone() async throws {
        try await storage.locked {}
        #expect(folder.mode("a/b/cache.lock") == 0o600)
        #expect(folder.mode("a/b") == 0o700)
    }

    @Test func wideModeIsRepaired() throws {
        try folder.write("one", to: "cache.json", mode: 0o644)
        #expect(try FileStorage(path: folder.path + "/cache.json").load() == Data("one".utf8))
        #expect(folder.mode("cache.json") == 0o600)
    }

    @Test func equalContentIsNotWrittenAgain() throws {
        try storage.save(Data("one".utf8))
        let first = folder.inode("a/b/cache.json")
        try storage.save(Data("one".utf8))
        #expect(folder.inode("a/b/cache.json") == first)
        try storage.save(Data("two".utf8))
        #expect(folder.inode("a/b/cache.json") != first)
    }

    @Test("Rule 88: a link is not followed") func linkIsNotFollowed() throws {
        try folder.write("of someone else", to: "target.json")
        symlink(folder.path + "/target.json", folder.path + "/cache.json")
        let storage = FileStorage(path: folder.path + "/cache.json")
        #expect(isInsecure(problem { _ = try storage.load() }))
        _ = problem { try storage.save(Data("secret".utf8)) }
        #expect(try folder.read("target.json") == "of someone else")
    }

    @Test func danglingLinkIsNotFollowed() throws {
        symlink(folder.path + "/nowhere", folder.path + "/cache.json")
        #expect(isInsecure(problem { _ = try FileStorage(path: folder.path + "/cache.json").load() }))
    }

    /// Opening a FIFO would wait for its writer.
    @Test(.timeLimit(.minutes(10))) func fifoIsRefusedWithoutWaiting() throws {
        mkfifo(folder.path + "/cache.json", 0o600)
        #expect(isInsecure(problem { _ = try FileStorage(path: folder.path + "/cache.json").load() }))
    }

    @Test func folderIsRefused() throws {
        mkdir(folder.path + "/cache.json", 0o700)
        let storage = FileStorage(path: folder.path + "/cache.json")
        #expect(isInsecure(problem { _ = try storage.load() }))
        #expect(problem { try storage.save(Data("x".utf8)) } != nil)
    }

    @Test(arguments: [mode_t(0o720), 0o702, 0o777, 0o1777])
    func folderThatOthersMayWriteToIsRefused(_ mode: mode_t) async throws {
        chmod(folder.path, mode)
        let storage = FileStorage(path: folder.path + "/cache.json")
        #expect(isInsecure(problem { try storage.save(Data("x".utf8)) }))
        let error = await authFailure { try await storage.locked {} }
        if case .storage(let problem)? = error?.reason {
            #expect(isInsecure(problem))
        } else {
            Issue.record("not refused")
        }
        #expect(try folder.names().isEmpty)
    }

    @Test func fileInPlaceOfTheFolderIsToldByName() throws {
        try folder.write("x", to: "a")
        #expect(try storage.load() == nil)
        guard case .failed(_, let path, let errno)? = problem({ try storage.save(Data("x".utf8)) }) else {
            Issue.record("saved")
            return
        }
        #expect(path.hasPrefix(folder.path))
        #expect(errno == ENOTDIR || errno == EEXIST)
    }

    /// The kernel's own folders take no files, not even root's.
    @Test func readOnlyFolderIsToldByName() throws {
        let storage = FileStorage(path: "/proc/nativeauth-test/cache.json")
        #expect(try storage.load() == nil)
        guard case .failed(let operation, let path, _)? = problem({ try storage.save(Data("x".utf8)) }) else {
            Issue.record("saved")
            return
        }
        #expect(operation == "create")
        #expect(path == "/proc/nativeauth-test")
    }

    @Test func fileIsPutAside() throws {
        try storage.save(Data("damaged".utf8))
        let place = try storage.setAside()
        #expect(place.hasPrefix(storage.path + ".corrupt-"))
        #expect(try storage.load() == nil)
        #expect(try Data(contentsOf: URL(filePath: place)) == Data("damaged".utf8))
    }

    /// Nothing that was put aside is overwritten, not even within one second.
    @Test func everyFileIsPutAsideUnderItsOwnName() throws {
        let storage = FileStorage(path: folder.path + "/cache.json", time: ManualClock().source)
        for content in ["one", "two", "three"] {
            try folder.write(content, to: "cache.json")
            _ = try storage.setAside()
        }
        #expect(try Set(folder.names().map { try folder.read($0) }) == ["one", "two", "three"])
    }

    @Test func nothingCannotBePutAside() throws {
        #expect(problem { _ = try storage.setAside() } != nil)
    }

    @Test func hugeFileIsNoCache() throws {
        try folder.write(String(repeating: "x", count: 1024 * 1024 + 1), to: "cache.json")
        let storage = FileStorage(path: folder.path + "/cache.json")
        #expect(problem { _ = try storage.load() } == .corrupt(path: storage.path))
    }

    /// Two values stand for two processes: each opens the lock file for itself.
    @Test func oneIsInsideAtATime() async throws {
        let inside = Occupancy()
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                let other = FileStorage(path: storage.path, time: .impatient)
                group.addTask {
                    try await other.locked {
                        inside.enter()
                        await Task.yield()
                        inside.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(inside.most == 1)
        #expect(inside.total == 8)
    }

    @Test func errorLeavesTheLock() async throws {
        let error = await authFailure {
            try await storage.locked { () async throws(AuthError) in throw AuthError(.refused) }
        }
        #expect(error?.reason == .refused)
        try await FileStorage(path: storage.path).locked {}
    }

    @Test func waitingCanBeCancelled() async throws {
        let storage = storage
        try await storage.locked { () async throws(AuthError) in
            let waiting = Task { await authFailure { try await FileStorage(path: storage.path).locked {} } }
            waiting.cancel()
            let reason = await waiting.value?.reason
            #expect(reason == .cancelled)
        }
    }

    @Test func relativePathIsTakenFromHere() throws {
        #expect(try FileStorage(path: "nativeauth-test-\(UUID().uuidString).json").load() == nil)
    }
}

extension TimeSource {
    /// Waits for a millisecond whatever is asked.
    fileprivate static let impatient = TimeSource(
        now: { Date() }, sleep: { _ in try await Task.sleep(for: .milliseconds(1)) })
}

/// Counts who is inside.
private final class Occupancy: Sendable {
    private let counts = Mutex((now: 0, most: 0, total: 0))

    var most: Int { counts.withLock { $0.most } }
    var total: Int { counts.withLock { $0.total } }

    func enter() {
        counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
            $0.total += 1
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
}
