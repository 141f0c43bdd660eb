// SPDX-License-Identifier: Apache-2.0

import CSodium

/// The tenant's master key, which lives in a file beside the database, and what is made with it.
///
/// A copy of the database alone tells nothing: codes are keyed hashes, and keys, mails and stored answers are sealed.
package struct Vault: Sendable {
    private let sealing: [UInt8]
    private let macs: [UInt8]

    static let keyLength = Int(crypto_kdf_KEYBYTES)

    /// - Parameter key: ``keyLength`` random bytes.
    package init(key: [UInt8]) {
        Sodium.prepare()
        sealing = Self.derive(1, from: key)
        macs = Self.derive(2, from: key)
    }

    private static func derive(_ number: UInt64, from key: [UInt8]) -> [UInt8] {
        var derived = [UInt8](repeating: 0, count: 32)
        _ = "tenant__".withCString { crypto_kdf_derive_from_key(&derived, derived.count, number, $0, key) }
        return derived
    }

    /// What a keyed hash is for; the same bytes give another hash for another purpose.
    enum Purpose: UInt8 {
        case code = 1
        case refreshToken = 2
        case subject = 3
        case wrongPassword = 4
        case throttle = 5
        case userCode = 6
    }

    /// HMAC-SHA-256 over the purpose and the parts, each with its length.
    func mac(_ purpose: Purpose, _ parts: String...) -> [UInt8] {
        var message = [purpose.rawValue]
        for part in parts {
            withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian) { message += $0 }
            message += part.utf8
        }
        var tag = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
        crypto_auth_hmacsha256(&tag, message, UInt64(message.count), macs)
        return tag
    }

    /// Encrypts and authenticates (XSalsa20-Poly1305), with a random nonce in front.
    func seal(_ bytes: [UInt8]) -> [UInt8] {
        var nonce = [UInt8](repeating: 0, count: Int(crypto_secretbox_NONCEBYTES))
        randombytes_buf(&nonce, nonce.count)
        var box = [UInt8](repeating: 0, count: bytes.count + Int(crypto_secretbox_MACBYTES))
        crypto_secretbox_easy(&box, bytes, UInt64(bytes.count), nonce, sealing)
        return nonce + box
    }

    /// Nil for anything that this vault did not seal.
    func open(_ sealed: [UInt8]) -> [UInt8]? {
        let nonceLength = Int(crypto_secretbox_NONCEBYTES)
        guard sealed.count >= nonceLength + Int(crypto_secretbox_MACBYTES) else { return nil }
        let nonce = Array(sealed[..<nonceLength])
        let box = Array(sealed[nonceLength...])
        var bytes = [UInt8](repeating: 0, count: box.count - Int(crypto_secretbox_MACBYTES))
        return crypto_secretbox_open_easy(&bytes, box, UInt64(box.count), nonce, sealing) == 0 ? bytes : nil
    }
}

/// SHA-256, and a comparison that takes the same time wherever the difference is.
enum Digest {
    static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let message = Array(bytes)
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, message, UInt64(message.count))
        return digest
    }

    static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        a.count == b.count && sodium_memcmp(a, b, a.count) == 0
    }
}
