// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Wire

/// The tenant's signing keys: one signs, the next one may be published already, and those that have retired count until
/// the last token that they signed has expired.
final class SigningKeys: Sendable {
    /// How long before its first use a key is published, in seconds: clients keep the list of keys for hours.
    static let notice: Int64 = 86400

    /// Keys are looked at again after this many seconds, in case another process has changed them.
    private static let rest: Int64 = 3600

    private struct State {
        var ring: KeyRing
        var lookedAt: Int64
        var lookAgainAt: Int64
        /// Whether somebody sees to the keys; making one takes a while, and one is enough.
        var isTended = false
    }

    private let state: Mutex<State>

    /// Keys that are looked at again with the first request.
    init(_ ring: KeyRing) {
        state = Mutex(State(ring: ring, lookedAt: .min, lookAgainAt: .min))
    }

    /// One key that is never replaced.
    convenience init(always signer: Signer) {
        self.init(KeyRing(SigningKey(signer: signer, number: 0, publishedAt: 0, activatesAt: 0, longestToken: 0)))
    }

    /// The key that signs now.
    func current(at seconds: Int64) -> Signer {
        state.withLock { $0.ring.current(at: seconds).signer }
    }

    /// The key of this name, for tokens that were settled a moment ago.
    func signer(named kid: String) -> Signer? {
        state.withLock { $0.ring.key(named: kid)?.signer }
    }

    /// What clients verify tokens with.
    func keySet(at seconds: Int64) -> KeySet {
        let ring = state.withLock { $0.ring }
        return KeySet(keys: ring.listed(at: seconds).flatMap { $0.signer.keySet.keys })
    }

    /// Whether a key of the tenant's signed the token, one that is published.
    func signed(_ token: JWT, at seconds: Int64) -> Bool {
        let ring = state.withLock { $0.ring }
        return ring.listed(at: seconds).contains { $0.signer.signed(token) }
    }

    /// Hands the keys to whoever has to look at them; false where that is not due, or somebody does it already. A clock
    /// that was set back is a reason, too.
    func beginTending(at seconds: Int64) -> Bool {
        state.withLock { state in
            let isDue = seconds >= state.lookAgainAt || seconds < state.lookedAt
            guard isDue, !state.isTended else { return false }
            state.isTended = true
            return true
        }
    }

    /// Takes them back, as they are now; nil where they could not be looked at, which is tried again in a minute.
    func endTending(_ ring: KeyRing?, next: Int64? = nil, at seconds: Int64) {
        state.withLock { state in
            state.isTended = false
            state.lookedAt = seconds
            state.lookAgainAt = ring == nil ? seconds + 60 : min(seconds + Self.rest, next ?? .max)
            if let ring { state.ring = ring }
        }
    }

    /// Puts changed keys to use at once.
    func replace(_ ring: KeyRing) {
        state.withLock { state in
            state.ring = ring
            state.lookAgainAt = .min
        }
    }
}
