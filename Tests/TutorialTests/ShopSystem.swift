// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TenantTesting

/// The shop's own system, which an extension asks: it says gold, then platinum, and then nothing of use.
final class ShopSystem: Sendable {
    private let socket: ReceiverSocket
    private let days: Days

    private final class Days: Sendable {
        let count = Mutex(0)
    }

    init() throws {
        let days = Days()
        self.days = days
        socket = try ReceiverSocket { peer in
            while peer.request() != nil { peer.send(Self.answer(days.count.withLock { $0 })) }
        }
    }

    /// Where it is asked, with a path of its own.
    var url: String { socket.url }

    /// Comes to the next answer.
    func goOn() { days.count.withLock { $0 += 1 } }

    private static func answer(_ day: Int) -> String {
        guard day < 2 else { return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n" }
        let tier = day == 0 ? "gold" : "platinum"
        return ReceiverSocket.ok(
            """
            {"data": {"@odata.type": "microsoft.graph.onTokenIssuanceStartResponseData", "actions": [
              {"@odata.type": "microsoft.graph.tokenIssuanceStart.provideClaimsForToken",
               "claims": {"shopTier": "\(tier)", "shopRoles": ["buyer", "reviewer"]}}]}}
            """)
    }
}
