// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// What the owner registers under a key of its own. The key stands in the row, and in the definition once more: a disk that
/// has changed one of them does not give tokens to somebody else.
protocol Definition: Codable, Sendable {
    /// The key as rows have it.
    var key: String { get }
}

extension AppRegistration: Definition {
    var key: String { clientID.lowercased() }
}

extension UserFlow: Definition {
    var key: String { name }
}

extension Resource: Definition {
    var key: String { id.lowercased() }
}

extension AuthenticationExtension: Definition {
    var key: String { id.lowercased() }
}

/// Definitions that have been read before: of apps, user flows, APIs and extensions. Each request needs some, and they hardly
/// ever change.
///
/// They are found by their text, so one that changes is another one, and nothing here can be out of date.
final class KnownDefinitions: Sendable {
    /// How many are kept; more than that have other worries.
    private static let limit = 512

    private let values = Mutex<[String: any Sendable]>([:])

    /// - Throws: `StoreError` if the definition belongs to another key.
    func read<T: Definition>(_ type: T.Type, key: String, _ text: String) throws -> T {
        let value = try read(type, text)
        guard value.key == key else { throw StoreError.damaged("the definition of \(key) is another's") }
        return value
    }

    private func read<T: Definition>(_ type: T.Type, _ text: String) throws -> T {
        if let value = values.withLock({ $0[text] }) as? T { return value }
        let value = try JSONDecoder().decode(type, from: Data(text.utf8))
        values.withLock { values in
            if values.count >= Self.limit { values.removeAll() }
            values[text] = value
        }
        return value
    }
}
