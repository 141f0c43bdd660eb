// SPDX-License-Identifier: Apache-2.0

import COpenSSL

/// SHA-256 (FIPS 180-4).
enum SHA256 {
    /// - Returns: 32 bytes; nil when memory is out.
    static func digest(of text: some Sequence<UInt8>) -> [UInt8]? {
        let message = Array(text)
        var digest = [UInt8](repeating: 0, count: 32)
        return na_sha256(message, message.count, &digest) == 1 ? digest : nil
    }
}
