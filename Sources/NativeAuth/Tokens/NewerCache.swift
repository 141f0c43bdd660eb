// SPDX-License-Identifier: Apache-2.0

extension NativeAuthClient {
    /// Whether a newer version of this program wrote the token cache. Then it is read, and not changed: a refresh or a
    /// sign-in fails.
    package func cacheIsOfNewerVersion() throws(AuthError) -> Bool {
        try session.cache.read().newerSchema != nil
    }
}
