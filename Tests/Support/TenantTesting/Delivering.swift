// SPDX-License-Identifier: Apache-2.0

package import Tenant
package import Wire

extension IdentityProvider {
    /// Hands over whatever nobody has claimed, each message once; gives up what nobody waits for any more.
    package func deliverWaiting(_ channels: Set<Channel> = Self.channels) {
        var last: Int64 = 0
        while let parcel = try? claimNext(channels, after: last) {
            try? record(courier.send(parcel), of: parcel)
            last = parcel.row
        }
    }
}
