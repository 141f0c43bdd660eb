// SPDX-License-Identifier: Apache-2.0

import Tenant
import Wire

/// What a server sends: mail and text messages by threads of their own, so that neither waits for the other's way.
struct Outgoing {
    /// Rung when a message is posted.
    struct Bells: Sendable {
        fileprivate let mail = OutboxWorker.Bell()
        fileprivate let texts = OutboxWorker.Bell()

        func ring() {
            mail.ring()
            texts.ring()
        }
    }

    private let workers: [OutboxWorker]

    /// Sends from now on, and first what was left behind.
    init(_ bells: Bells, _ provider: @escaping @Sendable () -> IdentityProvider) {
        workers = [
            OutboxWorker(provider, [.email], threads: 2, bell: bells.mail),
            OutboxWorker(provider, [.sms], threads: 1, bell: bells.texts),
        ]
    }

    /// A mail server has this long to take what is on its way; what it has not taken leaves after the next start.
    func stop() {
        for worker in workers { worker.stop(within: .seconds(3)) }
    }
}
