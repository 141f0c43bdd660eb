// SPDX-License-Identifier: Apache-2.0

/// A mail address that can be sent to: the part of RFC 5321 that mail services take, without quoting or comments.
///
/// What passes here goes into mail headers and SMTP commands, so no blank, control character or bracket does.
package struct EmailAddress: Sendable, Hashable, Codable {
    /// As the person wrote it.
    package let text: String
    /// The form in which addresses are compared: lower case. No dots or tags are dropped, since providers differ.
    package var key: String { text.lowercased() }

    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, Self.isLocalPart(parts[0]), Self.isDomain(parts[1]) else {
            return nil
        }
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let address = EmailAddress(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no mail address")
        }
        self = address
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Dot-separated atoms of at most 64 bytes (RFC 5321, sections 4.1.2 and 4.5.3.1.1).
    private static func isLocalPart(_ text: Substring) -> Bool {
        let atoms = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 64 && atoms.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isAtomCharacter) }
    }

    private static func isAtomCharacter(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    /// At least two labels of letters, digits and inner hyphens (RFC 1123, section 2.1).
    private static func isDomain(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension EmailAddress {
    /// The address as a hint for its owner: first and last character of the local part, the first two of the domain.
    var masked: String {
        let parts = text.split(separator: "@")
        let labels = parts[1].split(separator: ".")
        let local = parts[0].count > 1 ? "\(parts[0].prefix(1))***\(parts[0].suffix(1))" : "***"
        let hidden = labels.dropLast().joined(separator: ".")
        let stars = String(repeating: "*", count: max(0, hidden.count - 2))
        return "\(local)@\(hidden.prefix(2))\(stars).\(labels.last ?? "")"
    }
}
