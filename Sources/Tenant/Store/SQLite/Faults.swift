// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Failures of the disk in a row. After the first the database is opened anew; if the next transaction fails like it, the
/// disk is not one that a tenant can keep its word on.
final class Faults: Sendable {
    private let count = Atomic<Int>(0)
    private let lasting = Atomic<Bool>(false)

    var areLasting: Bool { lasting.load(ordering: .relaxed) }

    /// What came of a transaction.
    func note(_ isFault: Bool) {
        guard isFault else { return count.store(0, ordering: .relaxed) }
        if count.add(1, ordering: .relaxed).newValue >= 2 { lasting.store(true, ordering: .relaxed) }
    }
}
