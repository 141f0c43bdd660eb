// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Synchronization

/// The id of a conversation, by which it is found in the tenant's log.
///
/// A server may answer with an id of its own. The whole conversation goes by that from then on, as in Microsoft's SDKs,
/// so it is shared by all steps of a flow.
package final class Correlation: Sendable {
    private let current: Mutex<String>

    /// - Parameter id: The app's own id; nil for a new one.
    package init(_ id: UUID? = nil) {
        current = Mutex((id ?? UUID()).uuidString.lowercased())
    }

    /// The id, in lower case.
    package var id: String { current.withLock { $0 } }

    /// Takes the id that the server names, if it is one.
    func adopt(from response: HTTPResponse) {
        guard let named = response.headers["client-request-id"].flatMap({ UUID(uuidString: $0) }) else { return }
        current.withLock { $0 = named.uuidString.lowercased() }
    }
}
