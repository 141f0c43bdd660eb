// SPDX-License-Identifier: Apache-2.0

package import Wire

/// A telephone number in international form (ITU-T E.164): `+`, and at most fifteen digits.
package struct PhoneNumber: Sendable, Hashable {
    /// Without anything but the plus sign and the digits.
    package let text: String

    /// Takes the blanks, hyphens, dots and brackets that people write.
    package init?(_ text: String) {
        let plain = text.filter { !" -.()".contains($0) }
        let digits = plain.dropFirst()
        guard plain.first == "+", (7...15).contains(digits.utf8.count), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.text = plain
    }

    /// The number as a hint for its owner: the country code and the last digit.
    var masked: String {
        let code = countryCode
        return "+\(code)\(String(repeating: "*", count: text.count - code.count - 2))\(text.suffix(1))"
    }

    /// E.164 gives one digit to two zones, two to some countries of the others, and three to the rest.
    private var countryCode: String {
        let digits = text.dropFirst()
        if digits.hasPrefix("1") || digits.hasPrefix("7") { return String(digits.prefix(1)) }
        return String(digits.prefix(Self.twoDigitCodes.contains(Int(digits.prefix(2)) ?? 0) ? 2 : 3))
    }

    private static let twoDigitCodes: Set<Int> = [
        20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58, 60, 61,
        62, 63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98,
    ]
}

/// Where a code can go.
package enum Contact: Sendable, Hashable {
    case email(EmailAddress)
    case phone(PhoneNumber)

    /// Reads a mail address or a telephone number, whichever it is.
    package init?(_ text: String) {
        if let number = PhoneNumber(text) {
            self = .phone(number)
        } else if let address = EmailAddress(text) {
            self = .email(address)
        } else {
            return nil
        }
    }

    package var channel: Channel {
        switch self {
        case .email: .email
        case .phone: .sms
        }
    }

    package var text: String {
        switch self {
        case .email(let address): address.text
        case .phone(let number): number.text
        }
    }

    /// The form in which contacts are compared.
    var key: String {
        switch self {
        case .email(let address): address.key
        case .phone(let number): number.text
        }
    }

    var masked: String {
        switch self {
        case .email(let address): address.masked
        case .phone(let number): number.masked
        }
    }

    /// Whether one of the patterns, as `+999*` and `*@example.com`, is about this contact.
    func isCovered(by patterns: [String]) -> Bool {
        patterns.contains { pattern in
            let pattern = pattern.lowercased()
            if pattern.hasSuffix("*") { return key.hasPrefix(pattern.dropLast()) }
            if pattern.hasPrefix("*") { return key.hasSuffix(pattern.dropFirst()) }
            return key == pattern
        }
    }
}

extension Contact: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let contact = Contact(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no mail address or number")
        }
        self = contact
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
