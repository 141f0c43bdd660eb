// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

@testable import NativeAuth

/// A real keyring, and the names of what was put into it.
final class RecordedItems: KeyringItems {
    private let items: any KeyringItems
    private let written = Mutex<Set<String>>([])

    init(_ items: any KeyringItems) { self.items = items }

    var names: Set<String> { written.withLock { $0 } }
    var keyring: Keyring { items.keyring }

    func check() throws(KeyringProblem) { try items.check() }
    func read(_ name: String) throws(KeyringProblem) -> Data? { try items.read(name) }

    func write(_ data: Data, as name: String) throws(KeyringProblem) {
        written.withLock { _ = $0.insert(name) }
        try items.write(data, as: name)
    }

    func remove(_ name: String) throws(KeyringProblem) { try items.remove(name) }
}
