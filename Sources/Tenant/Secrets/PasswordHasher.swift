// SPDX-License-Identifier: Apache-2.0

import CSodium
import Wire

/// Argon2id, within the bounds of a machine. The cost's defaults are those of the OWASP password storage cheat sheet:
/// 19 MiB, two passes, one lane.
package struct PasswordHasher: Sendable {
    package let cost: PasswordCost
    private let queue: HashQueue

    /// - Parameter waiting: How many more may wait than there are cores.
    package init(cores: Int, cost: PasswordCost = .least, waiting: Int = 64) {
        Sodium.prepare()
        self.init(cost: cost, queue: HashQueue(slots: cores, waiting: waiting))
    }

    init(cost: PasswordCost, queue: HashQueue) {
        self.cost = cost
        self.queue = queue
    }

    /// A PHC string; nil when the machine is out of memory.
    func hash(_ password: Password) throws(HashQueue.Full) -> String? {
        try queue.run {
            var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
            let result = password.text.withCString {
                crypto_pwhash_str(&text, $0, UInt64(password.text.utf8.count), UInt64(cost.passes), cost.memory * 1024)
            }
            return result == 0
                ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
        }
    }

    /// Whether the password fits the PHC string. Where there is none that can be checked, the answer takes as long: how
    /// long it takes tells nothing about who has a password.
    func verify(_ password: Password, _ stored: String?) throws(HashQueue.Full) -> Bool {
        guard let hash = stored.flatMap(PasswordHash.init) else {
            _ = try self.hash(password)
            return false
        }
        return try queue.run {
            password.text.withCString {
                crypto_pwhash_str_verify(hash.text, $0, UInt64(password.text.utf8.count)) == 0
            }
        }
    }

    /// Whether a hash was made when less was asked of a guess than today.
    func isOutdated(_ stored: String) -> Bool {
        PasswordHash(stored).map { $0.cost.isWeaker(than: cost) } ?? false
    }

    /// How long the line is.
    var load: HashLoad { queue.load }

    /// The same line in front of hashes that cost something else.
    func asking(_ cost: PasswordCost) -> PasswordHasher { PasswordHasher(cost: cost, queue: queue) }
}
