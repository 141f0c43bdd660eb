// SPDX-License-Identifier: Apache-2.0

/// Signing keys in the database, sealed with the tenant's master key.
extension Connection {
    /// Nil where a key is missing or cannot be opened.
    mutating func keyRing(_ vault: Vault) throws(StoreError) -> KeyRing? {
        let rows = try rows(
            "SELECT sealed, number, published_at, activates_at, longest_token FROM signing_key ORDER BY number")
        let keys = rows.compactMap { SigningKey($0, vault) }
        return keys.count == rows.count ? KeyRing(keys) : nil
    }

    /// Adds the successor of the key `number - 1`, unless it has one: of processes that find out at the same time that a
    /// key is due, one makes it, because a number is there once.
    ///
    /// - Returns: Whether it was added.
    mutating func add(_ key: SigningKey, _ vault: Vault) throws(StoreError) -> Bool {
        try run(
            """
            INSERT INTO signing_key (kid, sealed, created_at, number, published_at, activates_at, longest_token)
            VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO NOTHING
            """, .text(key.signer.kid), .blob(vault.seal(key.signer.der)), .integer(key.publishedAt),
            .integer(key.number), .integer(key.publishedAt), .integer(key.activatesAt), .integer(key.longestToken)) == 1
    }

    /// Puts a key to use that still waits for its time.
    mutating func activate(_ key: SigningKey, at seconds: Int64) throws(StoreError) {
        try run(
            "UPDATE signing_key SET activates_at = ?1 WHERE number = ?2 AND activates_at > ?1", .integer(seconds),
            .integer(key.number))
    }

    mutating func remove(_ key: SigningKey) throws(StoreError) {
        try run("DELETE FROM signing_key WHERE number = ?", .integer(key.number))
    }

    /// Remembers for how long the tokens live that these keys and later ones sign from now on.
    mutating func noteTokenLifetime(_ seconds: Int64, from key: SigningKey) throws(StoreError) {
        try run(
            "UPDATE signing_key SET longest_token = ?1 WHERE number >= ?2 AND longest_token < ?1", .integer(seconds),
            .integer(key.number))
    }
}

extension SigningKey {
    fileprivate init?(_ row: Row, _ vault: Vault) {
        guard let der = row.blob(0).flatMap(vault.open), let signer = Signer(der: der), let number = row.integer(1),
            let published = row.integer(2), let activates = row.integer(3), let longest = row.integer(4)
        else { return nil }
        self.init(
            signer: signer, number: number, publishedAt: published, activatesAt: activates, longestToken: longest)
    }
}
