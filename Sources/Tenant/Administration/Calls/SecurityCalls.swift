// SPDX-License-Identifier: Apache-2.0

/// Reads the signing keys, without their private halves.
package struct ReadKeys: AdminCall {
    package init() {}

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> [KeyCard] {
        try tenant.provider.keyCards()
    }
}

/// Replaces the key that signs: in a day, or at once.
package struct RotateKeys: AdminCall {
    package var immediately: Bool

    package init(immediately: Bool) { self.immediately = immediately }

    package struct Reply: Codable, Sendable {
        /// Whether there was something to do; a successor may wait for its time already.
        package var didChange: Bool
        package var keys: [KeyCard]
    }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Reply {
        let didChange = try tenant.provider.rotateKeys(immediately: immediately)
        return Reply(didChange: didChange, keys: try tenant.provider.keyCards())
    }
}

/// Gives an API a new secret, which is the reply.
package struct MakeAPISecret: AdminCall {
    package var id: String

    package init(_ id: String) { self.id = id }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> String {
        guard let secret = try tenant.provider.makeSecret(forAPI: id) else { throw AdminRefusal.noSuchAPI(id) }
        return secret
    }
}

/// Reads the newest events, the oldest of them first.
package struct ReadAudit: AdminCall {
    /// In seconds since 1970.
    package var since: Int64
    package var limit: Int

    package init(since: Int64, limit: Int) {
        self.since = since
        self.limit = limit
    }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> [AuditEntry] {
        try tenant.provider.auditTrail(since: since, limit: limit)
    }
}
