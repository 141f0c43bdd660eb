// SPDX-License-Identifier: Apache-2.0

import Files
import FoundationEssentials

/// A token cache as one item of a keyring, for those who have one.
///
/// The item is named after the path that the cache would have as a file. At that path itself nothing is written; the lock
/// file is beside it, since keyrings have no locks.
struct KeyringCache: Sendable {
    let items: any KeyringItems
    let path: String
    let time: TimeSource

    private var folder: CacheFolder { CacheFolder(of: path) }

    var place: String { items.place(of: folder.absolutePath ?? path) }

    func load() throws(StorageProblem) -> Data? {
        // Saving makes the folder, for its lock: without one, nothing was saved.
        guard let name = folder.absolutePath else { return nil }
        return try asking { () throws(KeyringProblem) in try items.read(name) }
    }

    func save(_ data: Data) throws(StorageProblem) {
        if let current = try load(), current == data { return }
        let name = try name()
        try asking { () throws(KeyringProblem) in try items.write(data, as: name) }
    }

    /// Copies the bytes to an item with another ending, and removes them here.
    func setAside() throws(StorageProblem) -> String {
        let name = try name()
        let other = "\(name).\(CacheFolder.stamp(at: time.now()))"
        try asking { () throws(KeyringProblem) in
            guard let data = try items.read(name) else { throw .failed("there is nothing to put aside") }
            try items.write(data, as: other)
            try items.remove(name)
        }
        return items.place(of: other)
    }

    /// What was put aside has a name with a time in it, and keyrings are not asked for lists.
    func remove() throws(StorageProblem) {
        let name = try name()
        try asking { () throws(KeyringProblem) in try items.remove(name) }
    }

    func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        try await CacheLock(path: path, time: time).locked { () async throws(AuthError) in
            try await items.checked(body)
        }
    }

    private func name() throws(StorageProblem) -> String {
        _ = try folder.open()
        return folder.absolutePath ?? path
    }

    private func asking<Value>(_ body: () throws(KeyringProblem) -> Value) throws(StorageProblem) -> Value {
        do throws(KeyringProblem) { return try body() } catch { throw .keyring(items.keyring, error) }
    }
}
