// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// The value as JSON (RFC 8259): no blanks, members sorted by their names' bytes, slashes as they are. Equal values give
    /// equal bytes.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    package static func json(_ members: [String: JSONValue]) -> [UInt8] {
        JSONValue.object(members).json
    }
}

/// Writes JSON values. Foundation's encoder asks a value that knows what it is a dozen times what it is.
private struct JSONWriter {
    var bytes: [UInt8] = []

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .number(let value): write(value)
        case .string(let value): write(value)
        case .array(let elements): write(elements)
        case .object(let members): write(members)
        }
    }

    /// JSON has no number that is not finite, and ``JSONReader`` reads none.
    private mutating func write(_ number: Double) {
        guard number.isFinite else {
            bytes += "null".utf8
            return
        }
        if let whole = Int64(exactly: number) {
            bytes += String(whole).utf8
        } else {
            bytes += number.description.utf8
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ members: [String: JSONValue]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(name)
            bytes.append(UInt8(ascii: ":"))
            write(value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: escape(byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ control: UInt8) {
        switch control {
        case 0x08: bytes += "\\b".utf8
        case 0x09: bytes += "\\t".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0C: bytes += "\\f".utf8
        case 0x0D: bytes += "\\r".utf8
        default: bytes += ((control < 0x10 ? "\\u000" : "\\u00") + String(control, radix: 16)).utf8
        }
    }
}
