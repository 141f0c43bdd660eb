// SPDX-License-Identifier: Apache-2.0

/// Who mail comes from: an address, with or without a name before it.
package struct MailSender: Sendable, Equatable {
    package let name: String
    /// Its domain in ASCII.
    package let address: String

    /// Reads `ada@example.com` or `Ada's shop <ada@example.com>`; nil for anything else.
    package init?(_ text: String) {
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { return nil }
        let written = text.trimmedBlanks
        guard written.hasSuffix(">"), let open = written.lastIndex(of: "<") else {
            guard let address = EmailAddress(written) else { return nil }
            self.init(name: "", address: address.ascii)
            return
        }
        let name = String(written[..<open]).trimmedBlanks
        guard let address = EmailAddress(String(written[written.index(after: open)...].dropLast())),
            !name.contains(where: { "<>\"".contains($0) }), name.utf8.count <= Self.longestName
        else { return nil }
        self.init(name: name, address: address.ascii)
    }

    private init(name: String, address: String) {
        self.name = name
        self.address = address
    }

    private static let longestName = 128

    /// Who mail comes from that never leaves the machine (RFC 2606, section 2).
    static let local = MailSender(name: "Local tenant", address: "no-reply@tenant.invalid")

    /// What the addresses of its machines end with.
    var domain: Substring { address.drop { $0 != "@" }.dropFirst() }

    /// What stands in a `From` field (RFC 5322, section 3.4).
    var field: String {
        if name.isEmpty { return address }
        let isPlain = name.utf8.allSatisfy { MailDomain.isLetterOrDigit($0) || $0 == UInt8(ascii: " ") }
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 } && name.utf8.count <= 60
        let quoted = "\"\(name.map { $0 == "\\" ? "\\\\" : String($0) }.joined())\""
        let phrase = isPlain && isASCII ? name : isASCII ? quoted : EncodedWord.words(of: name)
        return "\(phrase) <\(address)>"
    }
}

extension String {
    var trimmedBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
