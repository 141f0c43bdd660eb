// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// Definitions that have been read before: of apps, user flows, APIs and extensions. Each request needs some, and they hardly
/// ever change.
///
/// They are found by their text, so one that changes is another one, and nothing here can be out of date.
final class KnownDefinitions: Sendable {
    /// How many are kept; more than that have other worries.
    private static let limit = 512

    private let values = Mutex<[String: any Sendable]>([:])

    func read<T: Decodable & Sendable>(_ type: T.Type, _ text: String) throws -> T {
        if let value = values.withLock({ $0[text] }) as? T { return value }
        let value = try JSONDecoder().decode(type, from: Data(text.utf8))
        values.withLock { values in
            if values.count >= Self.limit { values.removeAll() }
            values[text] = value
        }
        return value
    }
}
