// SPDX-License-Identifier: Apache-2.0

/// A mail address that can be sent to: the part of RFC 5321 that mail services take, without quoting or comments. The
/// domain may be internationalised; the part before it is ASCII, since few mail servers take another one (RFC 6531).
///
/// What passes here goes into mail headers and SMTP commands, so no blank, control character or bracket does.
package struct EmailAddress: Sendable, Hashable, Codable {
    /// As the person wrote it.
    package let text: String
    private let local: String
    private let domain: MailDomain

    /// The form in which addresses are compared: lower case, the domain in ASCII. No dots or tags are dropped, since
    /// providers differ; letters that only look alike stay different.
    package var key: String { "\(local)@\(domain.ascii)".lowercased() }

    /// The form that mail servers know: the domain in ASCII.
    package var ascii: String { "\(local)@\(domain.ascii)" }

    package init?(_ text: String) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= Self.longest, Self.isLocalPart(parts[0]),
            let domain = MailDomain(parts[1]), parts[0].utf8.count + 1 + domain.ascii.utf8.count <= Self.longest
        else { return nil }
        self.text = text
        local = String(parts[0])
        self.domain = domain
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

    /// In bytes: what a path of RFC 5321, section 4.5.3.1.3, has room for between its brackets.
    private static let longest = 254

    /// Dot-separated atoms of at most 64 bytes (RFC 5321, sections 4.1.2 and 4.5.3.1.1).
    private static func isLocalPart(_ text: Substring) -> Bool {
        let atoms = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 64 && atoms.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isAtomCharacter) }
    }

    private static func isAtomCharacter(_ byte: UInt8) -> Bool {
        MailDomain.isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
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
