// SPDX-License-Identifier: Apache-2.0

extension TenantAccess {
    /// Sends what is due in a tenant that nobody serves, once each. The tenant is closed while a message is on its way, so
    /// that nobody waits for a mail server who does not want to.
    package func sendWaiting(waiting wait: (_ attempt: Int) -> Bool) throws {
        guard let turn = try SendingTurn.attempt(folder) else { return }
        var last: Int64 = 0
        while case .done(let (courier, parcel)?) = try use(
            waiting: wait,
            { provider in try provider.claimNext(provider.slowChannels, after: last).map { (provider.courier, $0) } })
        {
            let attempt = courier.send(parcel)
            guard case .done = try use(waiting: wait, { try $0.record(attempt, of: parcel) }) else { break }
            last = parcel.row
        }
        _ = consume turn
    }
}
