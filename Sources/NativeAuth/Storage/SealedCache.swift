// SPDX-License-Identifier: Apache-2.0

import COpenSSL
import FoundationEssentials

/// The bytes of an encrypted token cache:
///
///     NATIVEAUTH  version  key id    nonce     ciphertext and tag
///     10 bytes    1 byte   16 bytes  12 bytes  AES-256-GCM
///
/// All before the nonce, and the file's name, is authenticated with the content: a file that is renamed to another profile's
/// cannot be opened there. The nonce is random for each write; NIST SP 800-38D allows 2^32 of them for one key.
struct SealedCache: Equatable {
    let keyID: CacheKey.ID
    let nonce: [UInt8]
    let ciphertext: [UInt8]

    private static let magic = Array("NATIVEAUTH".utf8)
    private static let version: UInt8 = 1
    private static let nonceLength = 12
    private static let tagLength = 16
    /// How much longer the bytes are than their content.
    static let overhead = magic.count + 1 + CacheKey.ID.length + nonceLength + tagLength

    /// Why bytes are none of these.
    enum Unreadable: Error, Equatable {
        case damaged
        case newer(version: Int)
    }

    init(_ data: Data) throws(Unreadable) {
        var rest = [UInt8](data)[...]
        func take(_ count: Int) throws(Unreadable) -> [UInt8] {
            guard rest.count >= count else { throw .damaged }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard try take(Self.magic.count) == Self.magic, let version = try take(1).first else { throw .damaged }
        guard version <= Self.version else { throw .newer(version: Int(version)) }
        keyID = CacheKey.ID(bytes: try take(CacheKey.ID.length))
        nonce = try take(Self.nonceLength)
        guard rest.count >= Self.tagLength else { throw .damaged }
        ciphertext = Array(rest)
    }

    /// Encrypts; nil when memory is out.
    init?(_ content: Data, key: CacheKey, name: String) {
        keyID = key.id
        nonce = Self.random(Self.nonceLength)
        let header = Self.header(keyID, name: name)
        var sealed = [UInt8](repeating: 0, count: content.count + Self.tagLength)
        let message = [UInt8](content)
        guard
            na_aes256gcm_seal(key.bytes, nonce, header, header.count, message, message.count, &sealed) == 1
        else { return nil }
        ciphertext = sealed
    }

    /// The content; nil when any part is not as it was, or the name is another.
    func opened(by key: CacheKey, name: String) -> Data? {
        let header = Self.header(keyID, name: name)
        var content = [UInt8](repeating: 0, count: ciphertext.count - Self.tagLength)
        guard
            na_aes256gcm_open(key.bytes, nonce, header, header.count, ciphertext, ciphertext.count, &content) == 1
        else { return nil }
        return Data(content)
    }

    var data: Data { Data(Self.magic + [Self.version] + keyID.bytes + nonce + ciphertext) }

    private static func header(_ keyID: CacheKey.ID, name: String) -> [UInt8] {
        magic + [version] + keyID.bytes + Array(name.utf8)
    }

    static func random(_ count: Int) -> [UInt8] {
        var source = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    }
}

/// A key of 256 bits.
struct CacheKey: Equatable {
    static let length = 32
    let bytes: [UInt8]

    /// Names a key, and tells it from any other: a hash of it, which says nothing about the key itself.
    struct ID: Hashable {
        static let length = 16
        let bytes: [UInt8]

        var text: String {
            bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
        }
    }

    /// A fresh one.
    init() {
        bytes = SealedCache.random(Self.length)
    }

    /// A key that was kept; nil for bytes that are none.
    init?(_ data: Data) {
        guard data.count == Self.length else { return nil }
        bytes = [UInt8](data)
    }

    var id: ID {
        guard let hash = SHA256.digest(of: Array("nativeauth token cache key".utf8) + bytes) else {
            // As when memory for any other value is out.
            preconditionFailure("SHA-256 has no memory")
        }
        return ID(bytes: Array(hash.prefix(ID.length)))
    }
}
