// SPDX-License-Identifier: Apache-2.0

@testable import Tenant

extension IdentityProvider {
    /// The same tenant with another way out for messages, and where a test needs it with other sources.
    func sending(
        hasher: PasswordHasher? = nil, random: RandomSource? = nil,
        by deliver: @escaping @Sendable (CodeMessage) throws -> Void
    ) -> IdentityProvider {
        IdentityProvider(
            database: database, vault: vault, settings: settings, signer: signer, hasher: hasher ?? self.hasher,
            random: random ?? self.random, deliver: deliver, now: now, callouts: callouts)
    }
}
