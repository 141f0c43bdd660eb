// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What came of an attempt.
package enum Attempt: Sendable {
    case delivered
    case failed(DeliveryFailure)
    /// The code is good no longer, so there was none.
    case expired
    /// This tenant's key did not seal it.
    case unreadable
}

/// Sends messages. It has no database, so a tenant can be closed while it is at work.
package struct Courier: Sendable {
    let vault: Vault
    let deliver: @Sendable (CodeMessage) throws -> Void
    let now: @Sendable () -> Date

    /// Takes as long as the message's way takes.
    package func send(_ parcel: Parcel) -> Attempt {
        guard let bytes = vault.open(parcel.sealed),
            let message = try? JSONDecoder().decode(CodeMessage.self, from: Data(bytes))
        else { return .unreadable }
        // A code that is good no longer helps nobody.
        guard message.end > Int64(now().timeIntervalSince1970) else { return .expired }
        do {
            try deliver(message)
            return .delivered
        } catch {
            return .failed(DeliveryFailure(error))
        }
    }
}

extension IdentityProvider {
    package var courier: Courier { Courier(vault: vault, deliver: deliver, now: now) }
}
