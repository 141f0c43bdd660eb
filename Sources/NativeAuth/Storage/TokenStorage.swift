// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Synchronization

/// Where the bytes of a token cache live.
public protocol TokenStorage: Sendable {
    /// Where that is, in words for a person.
    var place: String { get }

    /// The bytes; nil when nothing was saved yet. Needs no lock: what was saved is read whole or not at all.
    ///
    /// - Throws: ``StorageProblem`` for bytes that are there and cannot be read, or not safely.
    func load() throws(StorageProblem) -> Data?

    /// Replaces the bytes, durably. To be called inside ``locked(_:)``.
    ///
    /// - Parameter data: The whole cache, in JSON.
    /// - Throws: ``StorageProblem``; what was there before is there still.
    func save(_ data: Data) throws(StorageProblem)

    /// Runs `body` while nobody else, in this process or another, is inside a call of it on the same storage.
    ///
    /// A refresh stays inside across its request, so that one refresh token is never used twice.
    ///
    /// - Throws: What `body` throws; ``AuthError/Reason/storage(_:)`` with ``StorageProblem/busy(path:)`` where somebody else
    ///   is inside for too long, and with others where there can be no lock.
    func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value

    /// Puts bytes that are no token cache out of the way, where a person finds them. To be called inside ``locked(_:)``.
    ///
    /// - Returns: Where they went, in words for a person.
    /// - Throws: ``StorageProblem``; the bytes are where they were.
    func setAside() throws(StorageProblem) -> String

    /// Removes the bytes, and what was put aside before where that can be found. Nothing there is no failure. To be called
    /// inside ``locked(_:)``.
    ///
    /// - Throws: ``StorageProblem`` where some of it may still be there.
    func remove() throws(StorageProblem)
}

/// Why a token cache could not be read or written.
public enum StorageProblem: Error, Sendable, Equatable {
    /// The content is no token cache.
    case corrupt(path: String)
    /// A newer version of this program wrote it; it is read, but not changed.
    case newerSchema(Int)
    /// It is not safe where it is: another owner, a link, a folder that others may write to.
    case insecure(path: String, problem: String)
    /// An operation of the file system failed.
    case failed(operation: String, path: String, errno: Int32)
    /// Another process held the lock for too long.
    case busy(path: String)
    /// A keyring does not give or take what is wanted.
    case keyring(Keyring, KeyringProblem)
    /// An encrypted cache is there, and the key that it was encrypted with is not: nobody can read it any more.
    case keyMissing(path: String, in: Keyring)
    /// The keyring has another key than the one that a cache was encrypted with.
    case keyChanged(path: String, in: Keyring)

    /// Whether the content cannot be read, and will not be by trying again.
    var isOfContent: Bool {
        switch self {
        case .corrupt, .keyMissing, .keyChanged: true
        default: false
        }
    }
}

/// A token cache that lives as long as the process.
public final class MemoryStorage: TokenStorage {
    private let data = Mutex<Data?>(nil)
    private let gate = Gate()

    /// An empty cache.
    public init() {}

    /// In memory.
    public var place: String { "memory" }

    /// The bytes that were saved last.
    public func load() -> Data? { data.withLock { $0 } }

    /// Keeps the bytes.
    public func save(_ data: Data) { self.data.withLock { $0 = data } }

    /// Forgets the bytes.
    public func setAside() -> String {
        data.withLock { $0 = nil }
        return "nowhere"
    }

    /// Forgets the bytes.
    public func remove() {
        data.withLock { $0 = nil }
    }

    /// Runs `body` alone.
    public func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        await gate.enter()
        let result: Result<Value, AuthError>
        do throws(AuthError) { result = .success(try await body()) } catch { result = .failure(error) }
        await gate.leave()
        return try result.get()
    }
}

/// Lets one task through at a time, in the order of arrival.
actor Gate {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
