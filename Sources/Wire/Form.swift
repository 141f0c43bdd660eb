// SPDX-License-Identifier: Apache-2.0

/// The fields of an `application/x-www-form-urlencoded` body, each name once.
///
/// Coding follows the WHATWG URL standard, section 5: a space travels as `+`, and everything but letters,
/// digits and `-._~` as `%XX` of its UTF-8 bytes.
package struct Form: Sendable, Equatable {
    package private(set) var fields: [String: String]

    package init(_ fields: [String: String] = [:]) {
        self.fields = fields
    }

    package subscript(name: String) -> String? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    /// The body, fields sorted by name so that equal forms give equal bytes.
    package var body: [UInt8] {
        let pairs = fields.sorted { $0.key < $1.key }.map { Form.escape($0.key) + "=" + Form.escape($0.value) }
        return Array(pairs.joined(separator: "&").utf8)
    }
}

// MARK: - Reading a body

extension Form {
    /// Why a body is no form.
    package enum Malformed: Error, Equatable {
        case percentEncoding
        case notUTF8
        /// RFC 6749, section 3.2: request parameters must not be included more than once.
        case repeated(String)
        case tooManyFields
    }

    /// A form holds a dozen fields; a body with more than this is no form of ours.
    private static let fieldLimit = 64

    package init(body: some Collection<UInt8>) throws(Malformed) {
        var fields: [String: String] = [:]
        for pair in Array(body).split(separator: UInt8(ascii: "&")) {
            guard fields.count < Form.fieldLimit else { throw .tooManyFields }
            let middle = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = try Form.unescape(pair[..<middle])
            let value = try Form.unescape(pair[middle...].dropFirst())
            guard fields.updateValue(value, forKey: name) == nil else { throw .repeated(name) }
        }
        self.fields = fields
    }

    private static func escape(_ text: String) -> String {
        var out = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                out.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "):
                out += "+"
            default:
                out += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return out
    }

    private static func unescape(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard bytes.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return try text(bytes)
        }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "+"):
                out.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex, let high = bytes[index + 1].hexDigit,
                    let low = bytes[index + 2].hexDigit
                else { throw .percentEncoding }
                out.append(high << 4 | low)
                index += 2
            case let byte:
                out.append(byte)
            }
            index += 1
        }
        return try text(out[...])
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit.
    fileprivate var hexDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
