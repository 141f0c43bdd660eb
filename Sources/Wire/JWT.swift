// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// Base64url without padding (RFC 4648, section 5), as JOSE uses it.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            bits <<= 8
            for _ in 0...group.count {
                text.append(digit(UInt8(bits >> 26)))
                bits <<= 6
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for padding, blanks, the plain alphabet's `+` and `/`, and bits left over at the end
    /// (RFC 7515, appendix C: anything but the canonical text is refused).
    package static func decode(_ text: some StringProtocol) -> Data? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var data: [UInt8] = []
        data.reserveCapacity(text.utf8.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in text.utf8 {
            guard let value = value(byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                data.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bits & (1 << UInt32(count) - 1) == 0 ? Data(data) : nil
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}

/// A JSON Web Token in its compact form (RFC 7519, RFC 7515), taken apart but not yet believed.
package struct JWT: Sendable {
    package struct Header: Codable, Sendable, Equatable {
        package var alg: String
        package var kid: String?
        package var typ: String?

        package init(alg: String, kid: String?, typ: String?) {
            self.alg = alg
            self.kid = kid
            self.typ = typ
        }
    }

    package let header: Header
    /// The payload as JSON bytes.
    package let payload: Data
    package let claims: [String: JSONValue]
    /// What the signature is made over: the first two parts and the dot between them.
    package let signedText: String
    package let signature: Data

    /// Tokens beyond this many bytes are not read.
    package static let sizeLimit = 64 * 1024

    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= JWT.sizeLimit, parts.count == 3,
            let head = Base64URL.decode(parts[0]),
            let members = JSONValue(json: head), let alg = members["alg"]?.string,
            // RFC 7515, section 4.1.11: what is critical and not understood makes the token invalid.
            members["crit"] == nil,
            let payload = Base64URL.decode(parts[1]),
            case .object(let claims)? = JSONValue(json: payload),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        header = Header(alg: alg, kid: members["kid"]?.string, typ: members["typ"]?.string)
        self.payload = payload
        self.claims = claims
        self.signature = signature
        signedText = parts[0] + "." + parts[1]
    }
}
