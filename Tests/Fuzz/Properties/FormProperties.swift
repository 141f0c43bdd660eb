// SPDX-License-Identifier: Apache-2.0

import Wire

/// A form is what another reading of the same bytes finds, and what it is written as again.
enum FormProperties {
    @Sendable static func check(_ bytes: [UInt8]) throws(Violation) {
        let expected = model(bytes)
        let form: Form
        do throws(Form.Malformed) { form = try Form(body: bytes) } catch {
            return try require(expected == nil, "a form was refused: \(error)")
        }
        try require(form.fields == expected, "other fields were read")
        let body = form.body
        try require(body.allSatisfy(isPlain), "the body has a byte that needs escaping")
        try require(body.count <= 3 * bytes.count + form.fields.count, "the body has grown")
        guard let again = try? Form(body: body) else { throw Violation("what was written cannot be read") }
        try require(again == form && again.body == body, "what was written reads as another form")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "-._~%+=&".utf8.contains(byte)
        }
    }

    /// The same by indices and one field after the other.
    private static func model(_ bytes: [UInt8]) -> [String: String]? {
        var fields: [String: String] = [:]
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            if end > start {
                let middle = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
                guard let name = text(bytes[start..<middle]), let value = text(bytes[min(middle + 1, end)..<end]),
                    fields[name] == nil, fields.count < 64
                else { return nil }
                fields[name] = value
            }
            start = end + 1
        }
        return fields
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        var out: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "+"): out.append(0x20)
            case UInt8(ascii: "%"):
                let digits = bytes[(index + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                out.append(byte)
                index += 2
            default: out.append(bytes[index])
            }
            index += 1
        }
        let text = String(decoding: out, as: UTF8.self)
        // Whatever is no UTF-8 is repaired, and so is not what it was.
        return text.utf8.elementsEqual(out) ? text : nil
    }
}
