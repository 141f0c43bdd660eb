// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts the requests of each address in the second that runs.
final class RequestLimiter: Sendable {
    private struct Window {
        var second: Int64 = 0
        var counts: [String: Int] = [:]
    }

    private let window = Mutex(Window())

    /// Counts one request, and says whether the address has had no more than `limit` in this second.
    func admits(_ address: String, at second: Int64, limit: Int) -> Bool {
        window.withLock { window in
            if window.second != second { window = Window(second: second) }
            window.counts[address, default: 0] += 1
            return window.counts[address, default: 0] <= limit
        }
    }
}
