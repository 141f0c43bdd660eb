// SPDX-License-Identifier: Apache-2.0

import CSodium
import Dispatch
import Wire

/// Argon2id with the parameters of the OWASP password storage cheat sheet: 19 MiB, two passes, one lane.
package struct PasswordHasher: Sendable {
    private let memory: Int
    private let passes: UInt64
    /// Each hash takes a core and 19 MiB, so no more run at once than there are cores.
    private let slots: DispatchSemaphore

    package init(cores: Int, memory: Int = 19 * 1024 * 1024, passes: UInt64 = 2) {
        self.memory = memory
        self.passes = passes
        slots = DispatchSemaphore(value: max(1, cores))
    }

    /// A PHC string; nil when the machine is out of memory.
    func hash(_ password: String) -> String? {
        slots.wait()
        defer { slots.signal() }
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
        let result = password.withCString {
            crypto_pwhash_str(&text, $0, UInt64(password.utf8.count), passes, memory)
        }
        return result == 0
            ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// Whether the password fits the PHC string.
    func verify(_ password: String, _ phc: String) -> Bool {
        slots.wait()
        defer { slots.signal() }
        return password.withCString { crypto_pwhash_str_verify(phc, $0, UInt64(password.utf8.count)) == 0 }
    }
}
