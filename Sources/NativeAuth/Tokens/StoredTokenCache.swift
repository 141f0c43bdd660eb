// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The token cache where it is kept. What is damaged there is put aside, never overwritten; only a sign-out deletes it.
struct StoredTokenCache: Sendable {
    let storage: any TokenStorage

    /// The cache for a look. Needs no lock.
    func read() throws(AuthError) -> TokenCache {
        do throws(StorageProblem) {
            return try parsed()
        } catch {
            throw AuthError(.storage(error))
        }
    }

    /// Changes the cache, alone.
    func change<Value: Sendable>(_ body: (inout TokenCache) async throws(AuthError) -> Value) async throws(AuthError)
        -> Value
    {
        try await changeInSteps { (cache, _) async throws(AuthError) in try await body(&cache) }
    }

    /// Changes the cache, alone, for a body that has something saved before it does what cannot be taken back.
    func changeInSteps<Value: Sendable>(
        _ body: (inout TokenCache, _ keep: (TokenCache) throws(AuthError) -> Void) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        try await storage.locked { () async throws(AuthError) in
            var cache = try forChange()
            var saved = cache
            let value = try await body(&cache) { (step) throws(AuthError) in
                try save(step)
                saved = step
            }
            if cache != saved { try save(cache) }
            return value
        }
    }

    /// Takes tokens out, alone. What cannot be read is deleted whole, with what was put aside before: somebody who signs out
    /// wants no token left. A full disk is in the way of a new file, and not of that.
    ///
    /// - Parameters:
    ///   - everything: Whether to leave no file, where no other app has tokens in it.
    ///   - body: Takes them out; returns the refresh tokens among them.
    func forget(everything: Bool, _ body: (inout TokenCache) -> [String]) async throws(AuthError) -> [String] {
        try await storage.locked { () async throws(AuthError) in
            do throws(StorageProblem) {
                guard var cache = try readable() else {
                    try storage.remove()
                    return []
                }
                if let schema = cache.newerSchema { throw .newerSchema(schema) }
                let before = cache
                let secrets = body(&cache)
                if everything, !cache.holdsTokens { try storage.remove() } else if cache != before { try shrink(cache) }
                return secrets
            } catch {
                throw AuthError(.storage(error))
            }
        }
    }

    /// Nil where the content is no cache.
    private func readable() throws(StorageProblem) -> TokenCache? {
        do throws(StorageProblem) { return try parsed() } catch {
            if error.isOfContent { return nil }
            throw error
        }
    }

    private func shrink(_ cache: TokenCache) throws(StorageProblem) {
        do throws(StorageProblem) { try storage.save(cache.data) } catch {
            guard case .failed(_, _, let code) = error, code == ENOSPC || code == EDQUOT, !cache.holdsTokens else {
                throw error
            }
            try storage.remove()
        }
    }

    /// Puts a cache aside that is damaged, or whose key is gone, and leaves one alone that can be read: another process may
    /// have been faster.
    ///
    /// - Returns: Where it went.
    func setAsideIfDamaged() async throws(AuthError) -> String? {
        try await storage.locked { () async throws(AuthError) -> String? in
            do throws(StorageProblem) {
                do throws(StorageProblem) { _ = try parsed() } catch {
                    guard error.isOfContent else { throw error }
                    return try storage.setAside()
                }
                return nil
            } catch {
                throw AuthError(.storage(error))
            }
        }
    }

    private func parsed() throws(StorageProblem) -> TokenCache {
        guard let data = try storage.load() else { return TokenCache() }
        guard let cache = try? TokenCache(data) else { throw .corrupt(path: storage.place) }
        return cache
    }

    private func forChange() throws(AuthError) -> TokenCache {
        do throws(StorageProblem) {
            let cache: TokenCache
            do throws(StorageProblem) { cache = try parsed() } catch {
                guard error.isOfContent else { throw error }
                _ = try storage.setAside()
                return TokenCache()
            }
            if let schema = cache.newerSchema { throw .newerSchema(schema) }
            return cache
        } catch {
            throw AuthError(.storage(error))
        }
    }

    private func save(_ cache: TokenCache) throws(AuthError) {
        do throws(StorageProblem) { try storage.save(cache.data) } catch { throw AuthError(.storage(error)) }
    }
}
