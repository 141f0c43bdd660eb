// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// Base64url without padding (RFC 4648, section 5), as JOSE uses it.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: plain(Data(bytes)).map(toURL), as: UTF8.self)
    }

    /// Nil for padding, blanks, the plain alphabet's `+` and `/`, and bits left over at the end
    /// (RFC 7515, appendix C: anything but the canonical text is refused).
    package static func decode(_ text: some StringProtocol) -> Data? {
        let digits = Array(text.utf8)
        guard digits.allSatisfy(isDigit), digits.count % 4 != 1 else { return nil }
        let padding = Array(repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
        let alphabet = digits.map(toPlain)
        guard let data = Data(base64Encoded: Data(alphabet + padding)), plain(data).elementsEqual(alphabet) else {
            return nil
        }
        return data
    }

    /// Base64 in the plain alphabet, without padding.
    private static func plain(_ data: Data) -> Data {
        let text = data.base64EncodedData()
        return text.prefix { $0 != UInt8(ascii: "=") }
    }

    private static func toURL(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
    }

    private static func toPlain(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: byte
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
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
