// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Tenant

/// An address that passes can stand in a mail's header and in an SMTP command.
enum MailAddressProperties {
    @Sendable static func check(_ bytes: [UInt8]) throws(Violation) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let address = EmailAddress(text) else { return }
        try check(sendable: address.text)
        try check(sendable: address.key)
        guard let same = EmailAddress(address.key) else { throw Violation("the key is no address") }
        try require(same.key == address.key, "the key of the key is another")
        guard let written = try? JSONEncoder().encode(address),
            let again = try? JSONDecoder().decode(EmailAddress.self, from: written)
        else { throw Violation("it cannot be written and read again") }
        try require(again == address && again.key == address.key, "it is another when it is read again")
        try require(Contact(text)?.text == address.text, "it is no contact")
    }

    /// No character that ends a line, a word or a path in SMTP (RFC 5321) or a header (RFC 5322), and one `@`.
    private static func check(sendable text: String) throws(Violation) {
        try require(text.utf8.count <= 254, "it is too long")
        try require(text.unicodeScalars.count { $0 == "@" } == 1, "it has not one @")
        for scalar in text.unicodeScalars {
            let isOdd =
                scalar.properties.isWhitespace || scalar.value < 0x21 || scalar.value == 0x7F
                || [.control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse]
                    .contains(scalar.properties.generalCategory)
                || "<>()[]\\,;:\"".unicodeScalars.contains(scalar)
            try require(!isOdd, "it holds \(scalar.escaped(asASCII: true))")
        }
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        for part in parts {
            try require(
                !part.hasPrefix(".") && !part.hasSuffix(".") && !part.contains("..") && !part.isEmpty,
                "it has an empty atom or label")
        }
        try require(parts.last?.contains(".") ?? false, "the domain is one label")
    }
}
