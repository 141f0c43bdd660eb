// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Glibc

/// A token cache in an encrypted file, whose key is in a keyring.
///
/// The file is as that of ``FileStorage`` in every other respect. It is encrypted with AES-256-GCM; a copy of it, in a backup
/// or on a stolen disk, says nothing to those who do not have the key. Each file has a key of its own, made at the first
/// save. A key in the kernel's keyring is gone when the machine restarts: the file cannot be read then, and the next sign-in
/// puts it aside.
public struct EncryptedFileStorage: TokenStorage {
    /// The cache file's path.
    public let path: String
    private let file: FileStorage
    private let keys: any KeyringItems

    /// A cache at `path`. Nothing is created before the first change.
    ///
    /// - Parameters:
    ///   - path: The encrypted file's path; the lock file is beside it.
    ///   - keyring: Where the key is.
    ///   - environment: Names the session's bus for ``Keyring/secretService``.
    ///   - time: The clock, for the lock and for the name of what is put aside.
    public init(path: String, keyring: Keyring, environment: [String: String], time: TimeSource = .system) {
        let keys: any KeyringItems =
            switch keyring {
            case .kernel: KernelKeyring()
            case .secretService: SecretService(environment: environment)
            }
        self.init(path: path, keys: keys, time: time)
    }

    init(path: String, keys: any KeyringItems, time: TimeSource = .system) {
        self.path = path
        self.keys = keys
        file = FileStorage(path: path, time: time)
    }

    /// The path.
    public var place: String { path }

    /// Reads and decrypts the file.
    public func load() throws(StorageProblem) -> Data? {
        guard let sealed = try sealed() else { return nil }
        guard let key = try key(sealed.keyID) else { throw .keyMissing(path: path, in: keys.keyring) }
        guard let content = sealed.opened(by: key, name: name) else { throw .corrupt(path: path) }
        return content
    }

    /// Encrypts the bytes and replaces the file. A file that can be opened keeps its key; any other gets a new one, which is
    /// in the keyring before the file is there.
    public func save(_ data: Data) throws(StorageProblem) {
        let (key, current) = try existing()
        if let current, current == data { return }
        let usable = if let key { key } else { try newKey() }
        guard let sealed = SealedCache(data, key: usable, name: name) else {
            throw .failed(operation: "encrypt", path: path, errno: ENOMEM)
        }
        try file.save(sealed.data)
    }

    /// Renames the file to `….corrupt-{time}` beside it. One whose key is gone becomes `….without-key`, in the place of an
    /// earlier one: nobody can read either.
    public func setAside() throws(StorageProblem) -> String {
        do throws(StorageProblem) {
            _ = try load()
        } catch {
            if case .keyMissing = error { return try file.setAside(as: "without-key") }
        }
        return try file.setAside()
    }

    /// Deletes the file and those that were put aside beside it, and then the file's key.
    public func remove() throws(StorageProblem) {
        // Where the file cannot be read, nobody knows its key's name, and nothing can be read with that key.
        let id = try? sealed()?.keyID
        try file.remove()
        guard let id else { return }
        do throws(KeyringProblem) { try keys.remove(Self.item(id)) } catch { throw .keyring(keys.keyring, error) }
    }

    /// Runs `body` with the lock file locked.
    public func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        try await file.locked { () async throws(AuthError) in try await keys.checked(body) }
    }

    // MARK: - Keys

    private var name: String { CacheFolder(of: path).name }

    private func sealed() throws(StorageProblem) -> SealedCache? {
        guard let data = try file.load(limit: TokenCache.sizeLimit + SealedCache.overhead) else { return nil }
        do throws(SealedCache.Unreadable) {
            return try SealedCache(data)
        } catch {
            switch error {
            case .damaged: throw .corrupt(path: path)
            case .newer(let version): throw .newerSchema(version)
            }
        }
    }

    /// The key that the file of now can be opened with, and its content.
    private func existing() throws(StorageProblem) -> (key: CacheKey?, content: Data?) {
        do throws(StorageProblem) {
            guard let sealed = try sealed(), let key = try key(sealed.keyID) else { return (nil, nil) }
            return (key, sealed.opened(by: key, name: name))
        } catch {
            // What cannot be read is replaced; the caller has looked at it before. A keyring that fails is another matter.
            if error.isOfContent { return (nil, nil) }
            throw error
        }
    }

    private func key(_ id: CacheKey.ID) throws(StorageProblem) -> CacheKey? {
        let data: Data?
        do throws(KeyringProblem) { data = try keys.read(Self.item(id)) } catch { throw .keyring(keys.keyring, error) }
        guard let data else { return nil }
        guard let key = CacheKey(data), key.id == id else { throw .keyChanged(path: path, in: keys.keyring) }
        return key
    }

    private func newKey() throws(StorageProblem) -> CacheKey {
        let key = CacheKey()
        do throws(KeyringProblem) {
            try keys.write(Data(key.bytes), as: Self.item(key.id))
        } catch {
            throw .keyring(keys.keyring, error)
        }
        return key
    }

    /// The name of the key's item.
    private static func item(_ id: CacheKey.ID) -> String { "key \(id.text)" }
}
