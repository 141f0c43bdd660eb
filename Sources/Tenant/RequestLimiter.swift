// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the requests of each address in the second that runs.
final class RequestLimiter: Sendable {
    private struct Window {
        var second: Int64 = 0
        var counts: [NetworkBlock: Int] = [:]
    }

    private let window = Mutex(Window())

    /// Counts one request, and says whether the address has had no more than `limit` in this second. Of an IPv6 address its
    /// network counts: a machine takes as many addresses there as it likes.
    func admits(_ address: NetworkAddress, at second: Int64, limit: Int) -> Bool {
        let machine = NetworkBlock(machine: address)
        return window.withLock { window in
            if window.second != second { window = Window(second: second) }
            window.counts[machine, default: 0] += 1
            return window.counts[machine, default: 0] <= limit
        }
    }
}
