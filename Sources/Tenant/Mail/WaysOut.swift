// SPDX-License-Identifier: Apache-2.0

import Wire

/// Which way messages leave: by the owner's mail server, command or service, and into the spool where there is none.
struct WaysOut: Sendable {
    private let spool: Spool
    private let relay: MailRelay?
    private let gateway: TextMessageGateway?
    private let isSyncedLater: Bool

    init(_ settings: Settings, _ spool: Spool, _ settler: SpoolSettler? = nil, hosts: String? = nil) {
        self.spool = spool
        isSyncedLater = settler != nil
        relay = MailRelay(settings, hosts: hosts)
        gateway = TextMessageGateway(settings)
    }

    /// Whose ways lead to other machines or programs.
    var slow: Set<Channel> { Set((relay == nil ? [] : [.email]) + (gateway == nil ? [] : [.sms])) }

    func send(_ message: CodeMessage) throws(DeliveryFailure) {
        switch message.to {
        case .email:
            guard let relay else { return try spoolIn(message) }
            try relay.send(message)
        case .phone:
            guard let gateway else { return try spoolIn(message) }
            try gateway.send(message)
        }
    }

    private func spoolIn(_ message: CodeMessage) throws(DeliveryFailure) {
        do { try spool.deliver(message, isDurable: !isSyncedLater) } catch { throw DeliveryFailure(.spool) }
    }
}

extension IdentityProvider {
    /// Has messages leave another way from now on.
    mutating func take(_ ways: WaysOut) {
        deliver = { try ways.send($0) }
        slowChannels = ways.slow
    }
}
