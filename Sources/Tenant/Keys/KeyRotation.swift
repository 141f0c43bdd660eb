// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// When keys come and go. Nothing here runs by itself: a key that is due is made with the first request from then on.
extension IdentityProvider {
    /// Sees to the keys, if that is due. To be called outside of transactions.
    ///
    /// The keys that are in use stay so if it fails; the next request a minute later tries again.
    ///
    /// - Returns: What the rotation did, for the log; nil if nothing.
    func tendKeys(at seconds: Int64) throws -> AuditEvent? {
        guard keys.beginTending(at: seconds) else { return nil }
        do {
            let (ring, event) = try tended(at: seconds)
            keys.endTending(ring, next: nextTending(of: ring, after: seconds), at: seconds)
            return event
        } catch {
            keys.endTending(nil, at: seconds)
            throw error
        }
    }

    /// Replaces the key that signs: after the notice that clients need, or at once.
    ///
    /// - Returns: False where a successor waits for its time already, and is left to wait.
    func rotateKeys(immediately: Bool) throws -> Bool {
        let seconds = seconds
        guard let signer = Signer.generate() else { throw CannotMakeKey() }
        let (ring, didChange) = try database.transaction { connection in
            let ring = try storedRing(&connection)
            let isWaiting = ring.newest.activatesAt > seconds
            guard immediately || !isWaiting else { return (ring, false) }
            if isWaiting {
                try connection.activate(ring.newest, at: seconds)
            } else {
                let start = seconds + (immediately ? 0 : SigningKeys.notice)
                _ = try connection.add(successor(of: ring.newest, signer, from: seconds, activeFrom: start), vault)
            }
            let changed = try storedRing(&connection)
            try connection.write(rotated(to: changed.newest), at: seconds)
            return (changed, true)
        }
        keys.replace(ring)
        return didChange
    }

    /// The keys, as the tenant's owner sees them.
    func keyCards() throws -> [KeyCard] {
        let seconds = seconds
        let ring = try database.transaction { connection in try storedRing(&connection) }
        return ring.listed(at: seconds).map { KeyCard($0, in: ring, at: seconds) }
    }

    package struct CannotMakeKey: Error {}

    private func storedRing(_ connection: inout Connection) throws -> KeyRing {
        guard let ring = try connection.keyRing(vault) else { throw TenantContents.Damaged.signingKey }
        return ring
    }

    /// The longest time, in seconds, that a token of these settings lives.
    private var longestToken: Int64 {
        let access = min(settings.accessTokenLifetime + settings.accessTokenLifetime / 2, Settings.longest)
        return max(Int64(max(access, settings.idTokenLifetime)), CalloutToken.lifetime)
    }

    private func successor(
        of key: SigningKey, _ signer: Signer, from seconds: Int64, activeFrom start: Int64
    ) -> SigningKey {
        SigningKey(
            signer: signer, number: key.number + 1, publishedAt: seconds, activatesAt: start,
            longestToken: longestToken)
    }

    private func rotated(to key: SigningKey) -> AuditEvent {
        AuditEvent(.keyRotation, detail: "\(key.signer.kid) from \(RFC3339.text(key.activatesAt))")
    }
}

// MARK: - What is due

extension IdentityProvider {
    private func tended(at seconds: Int64) throws -> (KeyRing, AuditEvent?) {
        let ring = try database.transaction { connection in
            let ring = try storedRing(&connection)
            let current = ring.current(at: seconds)
            if current.longestToken < longestToken {
                try connection.noteTokenLifetime(longestToken, from: current)
            }
            for key in ring.over(at: seconds) { try connection.remove(key) }
            return try storedRing(&connection)
        }
        guard let due = dueTime(of: ring), due <= seconds else { return (ring, nil) }
        guard let signer = Signer.generate() else { throw CannotMakeKey() }
        let key = successor(of: ring.newest, signer, from: seconds, activeFrom: seconds + SigningKeys.notice)
        return try database.transaction { connection in
            let isOurs = try connection.add(key, vault)
            if isOurs { try connection.write(rotated(to: key), at: seconds) }
            return (try storedRing(&connection), isOurs ? rotated(to: key) : nil)
        }
    }

    /// When the successor of the newest key has to be published; nil where keys are never replaced.
    private func dueTime(of ring: KeyRing) -> Int64? {
        guard settings.keyRotation > 0 else { return nil }
        return ring.newest.activatesAt + Int64(settings.keyRotation) * 86400 - SigningKeys.notice
    }

    private func nextTending(of ring: KeyRing, after seconds: Int64) -> Int64? {
        let due = dueTime(of: ring).map { max($0, seconds + 1) }
        return [due, ring.nextChange(after: seconds)].compactMap { $0 }.min()
    }
}

// MARK: - For the owner

/// A signing key, as its owner sees it. Its private half is not in it.
package struct KeyCard: Sendable, Codable, Equatable {
    package enum State: String, Sendable, Codable {
        case next, current, retired
    }

    package var kid: String
    package var state: State
    /// In seconds since 1970.
    package var publishedAt: Int64
    package var activatesAt: Int64
    package var retiresAt: Int64?

    init(_ key: SigningKey, in ring: KeyRing, at seconds: Int64) {
        let current = ring.current(at: seconds).number
        kid = key.signer.kid
        state = key.number == current ? .current : key.number > current ? .next : .retired
        publishedAt = key.publishedAt
        activatesAt = key.activatesAt
        retiresAt = ring.retirement(of: key)
    }
}
