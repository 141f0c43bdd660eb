// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// Goes through another storage, and says when it takes another process long to let go of it.
struct PatientStorage: TokenStorage {
    let inner: any TokenStorage
    let notice: WaitingNotice

    var place: String { inner.place }

    func load() throws(StorageProblem) -> Data? { try inner.load() }

    func save(_ data: Data) throws(StorageProblem) { try inner.save(data) }

    func setAside() throws(StorageProblem) -> String { try inner.setAside() }

    func remove() throws(StorageProblem) { try inner.remove() }

    /// What is said ends as soon as the lock is there; what comes then is no wait for it.
    func locked<Value: Sendable>(_ body: () async throws(AuthError) -> Value) async throws(AuthError) -> Value {
        let wait = notice.begin()
        do throws(AuthError) {
            return try await inner.locked { () async throws(AuthError) in
                await wait.end()
                return try await body()
            }
        } catch {
            await wait.end()
            throw error
        }
    }
}
