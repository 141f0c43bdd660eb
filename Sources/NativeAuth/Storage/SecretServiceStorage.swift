// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// A token cache in the Secret Service of a desktop session: GNOME Keyring, KWallet, KeePassXC.
///
/// Nothing here asks a person or starts a service of its own: a collection that is locked is an error, and so is a service
/// that does not answer within five seconds. `libsecret-1.so.0` is loaded when it is needed.
public struct SecretServiceStorage: TokenStorage {
    private let cache: KeyringCache

    /// A cache whose name is a path.
    ///
    /// - Parameters:
    ///   - path: Where the cache would be as a file. Nothing is written there; the lock file is beside it.
    ///   - environment: Names the session's bus, by `DBUS_SESSION_BUS_ADDRESS` or `XDG_RUNTIME_DIR`.
    ///   - time: The clock, for the lock and for the name of what is put aside.
    public init(path: String, environment: [String: String], time: TimeSource = .system) {
        cache = KeyringCache(items: SecretService(environment: environment), path: path, time: time)
    }

    init(cache: KeyringCache) {
        self.cache = cache
    }

    /// The item's name.
    public var place: String { cache.place }

    /// Reads the item.
    public func load() throws(StorageProblem) -> Data? { try cache.load() }

    /// Sets the item, in the collection that the service has as its default.
    public func save(_ data: Data) throws(StorageProblem) { try cache.save(data) }

    /// Moves the bytes to an item named `….corrupt-{time}`.
    public func setAside() throws(StorageProblem) -> String { try cache.setAside() }

    /// Removes the bytes. What was put aside stays, under its own name.
    public func remove() throws(StorageProblem) { try cache.remove() }

    /// Runs `body` with the lock file locked.
    public func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        try await cache.locked(body)
    }
}
