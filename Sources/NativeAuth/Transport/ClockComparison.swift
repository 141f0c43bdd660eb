// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// How far this machine's clock is from the tenant's, by the `Date` of its last answer (RFC 9110, section 6.6.1).
final class ClockComparison: Sendable {
    private let measured = Mutex<Int?>(nil)

    /// Seconds; more than 0 where this machine's clock is ahead. Nil before the first answer that told.
    var ahead: Int? { measured.withLock { $0 } }

    /// The header was written somewhere between the request and the answer.
    func note(_ response: HTTPResponse, sent: Date, received: Date) {
        guard let theirs = response.headers["date"].flatMap(HTTPDate.parse) else { return }
        let middle = sent.addingTimeInterval(received.timeIntervalSince(sent) / 2)
        let seconds = middle.timeIntervalSince(theirs)
        guard abs(seconds) < 1e9 else { return }
        measured.withLock { $0 = Int(seconds.rounded()) }
    }
}
