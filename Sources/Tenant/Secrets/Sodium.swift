// SPDX-License-Identifier: Apache-2.0

import CSodium

/// libsodium, before it is first used.
enum Sodium {
    /// Has it look at what the processor can do: until then it hashes passwords by its slowest code, which takes twice as
    /// long. Any thread may call this at any time; all but the first one find it done.
    static func prepare() {
        precondition(sodium_init() >= 0, "libsodium finds no source of randomness")
    }
}
