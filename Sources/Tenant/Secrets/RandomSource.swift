// SPDX-License-Identifier: Apache-2.0

import CSodium
import FoundationEssentials
import Wire

/// Where randomness comes from, so that a test can fix it.
package struct RandomSource: Sendable {
    /// Fills a buffer of this many bytes.
    package var bytes: @Sendable (Int) -> [UInt8]
    /// A number from 0 up to, but not including, the bound; each with the same probability.
    package var below: @Sendable (UInt32) -> UInt32

    package init(bytes: @escaping @Sendable (Int) -> [UInt8], below: @escaping @Sendable (UInt32) -> UInt32) {
        self.bytes = bytes
        self.below = below
    }

    /// The operating system's generator, by libsodium.
    package static let system: RandomSource = {
        Sodium.prepare()
        return RandomSource(
            bytes: { count in
                var bytes = [UInt8](repeating: 0, count: count)
                randombytes_buf(&bytes, count)
                return bytes
            }, below: { randombytes_uniform($0) })
    }()

    /// An opaque token of 256 bits.
    func token() -> String { Base64URL.encode(bytes(32)) }

    /// A version 4 UUID in lower case (RFC 9562, section 5.4).
    func uuid() -> String {
        var b = bytes(16)
        b[6] = b[6] & 0x0F | 0x40
        b[8] = b[8] & 0x3F | 0x80
        let value = UUID(
            uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
        )
        return value.uuidString.lowercased()
    }

    /// A code of so many digits, leading zeros kept.
    func code(digits: Int) -> String {
        String((0..<digits).map { _ in Character(String(below(10))) })
    }
}
