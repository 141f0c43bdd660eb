// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Transactions that become durable together: what takes longest of a small transaction is the disk's word that it has it,
/// and one such word is as good for many.
///
/// Each has its turn on its own thread, inside a savepoint of its own, so that one that fails leaves the others be. Whoever
/// has had a turn waits here until the last one has committed for all.
final class CommitGroup: Sendable {
    /// The most that wait for one another.
    static let limit = 32

    private let end = DispatchGroup()
    private let failure = Mutex<StoreError?>(nil)

    init() {
        end.enter()
    }

    /// Lets all members go; with a failure, nothing of what any of them did is there. To be called once.
    func finish(_ failure: StoreError? = nil) {
        self.failure.withLock { $0 = failure }
        end.leave()
    }

    /// Returns when what the members did is durable; throws where none of it is there.
    func wait() throws(StoreError) {
        end.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
