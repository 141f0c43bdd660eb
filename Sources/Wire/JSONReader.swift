// SPDX-License-Identifier: Apache-2.0

/// Reads JSON (RFC 8259) from a file or a peer that may be hostile: bounded in depth, and without repeated names, which
/// two readers could understand in two ways (RFC 8259, section 4).
///
/// Foundation's decoder takes both, and costs a short-lived program more than everything else that it does.
struct JSONReader: ~Copyable {
    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    static let depthLimit = 16

    /// Why bytes are no JSON that is wanted here.
    struct Malformed: Error, Equatable {
        /// Where, as an offset in bytes.
        let position: Int
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The one value that the bytes are.
    mutating func read() throws(Malformed) -> JSONValue {
        let value = try value()
        skipBlanks()
        guard position == bytes.count else { throw malformed }
        return value
    }

    private var malformed: Malformed { Malformed(position: position) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(Malformed) -> JSONValue {
        skipBlanks()
        switch next {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(Malformed) -> JSONValue {
        let length = text.utf8CodeUnitCount
        guard bytes[position...].prefix(length).elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: length))
        else { throw malformed }
        position += length
        return value
    }
}

// MARK: - Objects and arrays

extension JSONReader {
    private mutating func enter() throws(Malformed) {
        guard depth < Self.depthLimit else { throw malformed }
        depth += 1
        position += 1
        skipBlanks()
    }

    private mutating func object() throws(Malformed) -> [String: JSONValue] {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        if take("}") { return members }
        repeat {
            skipBlanks()
            let name = try string()
            skipBlanks()
            guard take(":"), members.updateValue(try value(), forKey: name) == nil else { throw malformed }
            skipBlanks()
        } while take(",")
        guard take("}") else { throw malformed }
        return members
    }

    private mutating func array() throws(Malformed) -> [JSONValue] {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if take("]") { return elements }
        repeat {
            elements.append(try value())
            skipBlanks()
        } while take(",")
        guard take("]") else { throw malformed }
        return elements
    }
}

// MARK: - Strings

extension JSONReader {
    private mutating func string() throws(Malformed) -> String {
        guard take("\"") else { throw malformed }
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        var text = bytes[start..<position]
        while take("\\") {
            text += try escape()
            let start = position
            while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
                position += 1
            }
            text += bytes[start..<position]
        }
        guard take("\""), let string = String(validating: text, as: UTF8.self) else { throw malformed }
        return string
    }

    private mutating func escape() throws(Malformed) -> [UInt8] {
        guard let byte = next else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var unit = UInt32(try hexUnit())
            // A character beyond the first plane is written as two halves; one half alone is no character.
            if (0xD800...0xDBFF).contains(unit) {
                guard take("\\"), take("u") else { throw malformed }
                let low = UInt32(try hexUnit())
                guard (0xDC00...0xDFFF).contains(low) else { throw malformed }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else { throw malformed }
            return Array(String(Character(scalar)).utf8)
        default: throw malformed
        }
    }

    private mutating func hexUnit() throws(Malformed) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw malformed }
        position += 4
        return unit
    }
}

// MARK: - Numbers

extension JSONReader {
    /// A whole number that fits stays one; any other becomes a `Double`.
    private mutating func number() throws(Malformed) -> JSONValue {
        let start = position
        _ = take("-")
        let leadingZero = next == UInt8(ascii: "0")
        let whole = digits()
        guard whole > 0, !leadingZero || whole == 1 else { throw malformed }
        var isWhole = true
        if take(".") {
            isWhole = false
            guard digits() > 0 else { throw malformed }
        }
        if take("e") || take("E") {
            isWhole = false
            if !take("+") { _ = take("-") }
            guard digits() > 0 else { throw malformed }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw malformed }
        return .number(value)
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        return position - start
    }
}

extension JSONValue {
    /// Why bytes are no JSON that is wanted here: where it ends to be one, as an offset.
    package struct Malformed: Error, Equatable {
        package let position: Int
    }

    /// The value that the bytes are, for a text that a person wrote and wants to mend.
    package init(reading bytes: [UInt8]) throws(Malformed) {
        var reader = JSONReader(bytes)
        do { self = try reader.read() } catch { throw Malformed(position: error.position) }
    }

    /// The value that the bytes are; nil for anything else than one JSON text.
    package init?(json bytes: some Sequence<UInt8>) {
        var reader = JSONReader(Array(bytes))
        guard let value = try? reader.read() else { return nil }
        self = value
    }
}
