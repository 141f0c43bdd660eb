// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// A token cache in the Linux kernel's keyring: in memory that the kernel keeps for this user, on no disk.
///
/// The user keyring (user-keyring(7)) is used. It belongs to the user and not to a session, so that every process of the
/// user finds the cache, from a terminal, under cron, or after the next login. Since Linux 5.3 it stays until the machine
/// restarts; older kernels drop it with the user's last process. The persistent keyring would stay as long, but forgets
/// what nobody asked for in three days, and a session keyring ends with its session.
///
/// Keys are of the type `big_key` where the kernel has it, which takes 1 MiB, and else of the type `user`, which takes
/// 32,767 bytes; all keys of one user, root excepted, have a share of 20,000 bytes (`/proc/sys/kernel/keys/maxbytes`).
public struct KernelKeyringStorage: TokenStorage {
    private let cache: KeyringCache

    /// A cache whose name is a path.
    ///
    /// - Parameters:
    ///   - path: Where the cache would be as a file. Nothing is written there; the lock file is beside it.
    ///   - time: The clock, for the lock and for the name of what is put aside.
    public init(path: String, time: TimeSource = .system) {
        cache = KeyringCache(items: KernelKeyring(), path: path, time: time)
    }

    init(cache: KeyringCache) {
        self.cache = cache
    }

    /// The key's name.
    public var place: String { cache.place }

    /// Reads the key.
    public func load() throws(StorageProblem) -> Data? { try cache.load() }

    /// Sets the key. It survives logins, and no restart.
    public func save(_ data: Data) throws(StorageProblem) { try cache.save(data) }

    /// Moves the bytes to a key named `….corrupt-{time}`.
    public func setAside() throws(StorageProblem) -> String { try cache.setAside() }

    /// Removes the bytes. What was put aside stays, under its own name.
    public func remove() throws(StorageProblem) { try cache.remove() }

    /// Runs `body` with the lock file locked.
    public func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        try await cache.locked(body)
    }
}
