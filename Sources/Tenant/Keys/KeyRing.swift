// SPDX-License-Identifier: Apache-2.0

/// A signing key and its times, in seconds since 1970. It retires when its successor begins to sign.
struct SigningKey: Sendable {
    let signer: Signer
    /// Counts the tenant's keys; no two have the same, so a key has one successor.
    let number: Int64
    let publishedAt: Int64
    let activatesAt: Int64
    /// The longest life, in seconds, of a token that it may have signed.
    let longestToken: Int64
}

/// The keys of a tenant in the order of their use; never empty.
struct KeyRing: Sendable {
    private let keys: [SigningKey]
    let newest: SigningKey

    /// For clocks that do not quite agree, in seconds.
    private static let leeway: Int64 = 300

    init(_ key: SigningKey) {
        keys = [key]
        newest = key
    }

    /// Nil for no keys at all.
    init?(_ keys: [SigningKey]) {
        let sorted = keys.sorted { $0.number < $1.number }
        guard let newest = sorted.last else { return nil }
        self.keys = sorted
        self.newest = newest
    }

    /// The newest key whose time has come; the oldest where a wrong clock says that none has.
    func current(at seconds: Int64) -> SigningKey {
        keys.last { $0.activatesAt <= seconds } ?? keys.first ?? newest
    }

    /// The key of this name, retired or not.
    func key(named kid: String) -> SigningKey? { keys.first { $0.signer.kid == kid } }

    /// The keys that clients have to know.
    func listed(at seconds: Int64) -> [SigningKey] {
        keys.filter { key in end(of: key).map { seconds < $0 } ?? true }
    }

    /// The keys that nothing unexpired is signed with.
    func over(at seconds: Int64) -> [SigningKey] {
        keys.filter { key in end(of: key).map { seconds >= $0 } ?? false }
    }

    /// When a key retires: when its successor begins; nil while it has none.
    func retirement(of key: SigningKey) -> Int64? {
        keys.first { $0.number > key.number }?.activatesAt
    }

    /// When the next key ends, or begins.
    func nextChange(after seconds: Int64) -> Int64? {
        (keys.compactMap(end) + keys.map(\.activatesAt)).filter { $0 > seconds }.min()
    }

    private func end(of key: SigningKey) -> Int64? {
        retirement(of: key).map { $0 + key.longestToken + Self.leeway }
    }
}
