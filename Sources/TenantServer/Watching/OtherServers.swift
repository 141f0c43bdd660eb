// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Tenant

/// What servers that share a database do each second: what one of them is told by the owner is so at the others then, and
/// what is over is dropped.
struct OtherServers {
    private let timer: any DispatchSourceTimer

    /// Nil for a tenant that one server answers for.
    ///
    /// - Parameter reload: Reads settings and keys again.
    init?(of provider: IdentityProvider, reload: @escaping @Sendable () throws -> Void) throws {
        guard let contents = try SharedContents(provider) else { return nil }
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "other servers"))
        timer.setEventHandler {
            // While the database is away nothing can be changed either.
            try? contents.follow(reload)
            try? provider.tidy()
        }
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.resume()
    }

    func stop() {
        timer.cancel()
    }
}
