// SPDX-License-Identifier: Apache-2.0

/// Reads a call from the fields of a form: each property from the field of its name in snake case.
///
/// Every value is a text, so there is no need for a way through JSON, which takes longer than what a call leads to.
struct FormDecoder: Decoder {
    let fields: [String: String]
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(FormFields(fields: fields))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noText([]) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noText([]) }
}

/// What only a text can be.
private func noText(_ path: [any CodingKey]) -> DecodingError {
    .typeMismatch(String.self, .init(codingPath: path, debugDescription: "a form's values are texts"))
}

private struct FormFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let fields: [String: String]
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }

    /// An empty field counts as absent.
    private func text(_ key: Key) -> String? {
        guard let text = fields[key.stringValue.snakeCased], !text.isEmpty else { return nil }
        return text
    }

    private func value(_ key: Key) throws -> FormValue {
        guard let text = text(key) else {
            throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "no such field"))
        }
        return FormValue(text: text, codingPath: [key])
    }

    func contains(_ key: Key) -> Bool { text(key) != nil }
    func decodeNil(forKey key: Key) -> Bool { text(key) == nil }

    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).text }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try T(from: try value(key)) }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { throw noText([key]) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { throw noText([key]) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { throw noText([key]) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { throw noText([key]) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { throw noText([key]) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { throw noText([key]) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { throw noText([key]) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { throw noText([key]) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { throw noText([key]) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { throw noText([key]) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { throw noText([key]) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { throw noText([key]) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { throw noText([key]) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw noText([key]) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw noText([key]) }
    func superDecoder() throws -> any Decoder { throw noText([]) }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw noText([key]) }
}

/// One value, for types that read themselves from a text.
private struct FormValue: Decoder, SingleValueDecodingContainer {
    let text: String
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw noText(codingPath)
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noText(codingPath) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }
    func decode(_ type: String.Type) throws -> String { text }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

    func decode(_ type: Bool.Type) throws -> Bool { throw noText(codingPath) }
    func decode(_ type: Double.Type) throws -> Double { throw noText(codingPath) }
    func decode(_ type: Float.Type) throws -> Float { throw noText(codingPath) }
    func decode(_ type: Int.Type) throws -> Int { throw noText(codingPath) }
    func decode(_ type: Int8.Type) throws -> Int8 { throw noText(codingPath) }
    func decode(_ type: Int16.Type) throws -> Int16 { throw noText(codingPath) }
    func decode(_ type: Int32.Type) throws -> Int32 { throw noText(codingPath) }
    func decode(_ type: Int64.Type) throws -> Int64 { throw noText(codingPath) }
    func decode(_ type: UInt.Type) throws -> UInt { throw noText(codingPath) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { throw noText(codingPath) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { throw noText(codingPath) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { throw noText(codingPath) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { throw noText(codingPath) }
}

extension String {
    /// `continuationToken` as `continuation_token`.
    var snakeCased: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 4)
        for byte in utf8 {
            if (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) {
                bytes.append(UInt8(ascii: "_"))
                bytes.append(byte | 0x20)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
