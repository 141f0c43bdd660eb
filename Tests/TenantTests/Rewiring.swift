// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

@testable import Tenant

extension IdentityProvider {
    /// The same tenant with another way out for messages, and where a test needs it with other sources.
    func sending(
        hasher: PasswordHasher? = nil, random: RandomSource? = nil,
        by deliver: @escaping @Sendable (CodeMessage) throws -> Void
    ) -> IdentityProvider {
        IdentityProvider(
            database: database, vault: vault, settings: settings, keys: keys, hasher: hasher ?? self.hasher,
            random: random ?? self.random, deliver: deliver, now: now, steadyTime: steadyTime,
            callouts: callouts)
    }

    /// The key that signs now.
    var signer: Signer { keys.current(at: Int64(now().timeIntervalSince1970)) }
}

extension Callouts {
    convenience init(settings: Settings, signer: Signer, random: RandomSource = .system, hosts: String? = nil) {
        self.init(settings: settings, keys: SigningKeys(always: signer), random: random, hosts: hosts)
    }
}
