// SPDX-License-Identifier: Apache-2.0

import CIdn2

/// The domain of a mail address.
struct MailDomain: Sendable, Hashable {
    /// Letters, digits and hyphens; an internationalised domain as its A-labels (RFC 5890, section 2.3.2.1), which are
    /// what the name service and mail servers know.
    let ascii: String

    init?(_ text: Substring) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            ascii = String(text)
        } else {
            guard text.unicodeScalars.allSatisfy(Self.isWritten), let ascii = Self.ascii(of: String(text)) else {
                return nil
            }
            self.ascii = ascii
        }
        guard Self.isDomain(ascii) else { return nil }
    }

    /// What people write domains with. The mapping of UTS #46 drops some invisible characters and turns others into ASCII;
    /// an address that holds such a one is shown as what it is not.
    private static func isWritten(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark,
            .decimalNumber:
            true
        default: scalar == "-" || scalar == "." || scalar == "\u{3002}"
        }
    }

    private static func ascii(of text: String) -> String? {
        // Longer than any name in the name service (RFC 1035, section 2.3.4).
        var buffer = [CChar](repeating: 0, count: 256)
        guard na_domain_to_ascii(text, &buffer, buffer.count) == 1 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// At least two labels of letters, digits and inner hyphens (RFC 1123, section 2.1).
    private static func isDomain(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
