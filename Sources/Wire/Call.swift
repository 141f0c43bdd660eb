// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials

/// One call of the protocol: a value whose properties are the form's fields, in camel case.
///
/// Both sides use the same value. A field that the protocol requires is not optional, so a request without it
/// cannot be built, and a tenant that receives one learns which field is missing.
package protocol Call: Codable, Sendable {
    /// What a 200 answer holds.
    associatedtype Reply: Codable & Sendable
    /// The path below the authority, with its leading slash.
    static var path: String { get }
}

/// A required field that is absent or empty.
package struct MissingField: Error, Equatable {
    package let name: String
}

extension Form {
    /// The form that carries `call`; properties that are nil are left out.
    package init(_ call: some Call) throws {
        self.init(try WireJSON.decode([String: String].self, from: WireJSON.encode(call)))
    }

    /// The call in this form. Unknown fields are ignored, as the service does; an empty field counts as absent.
    package func call<C: Call>(_ type: C.Type) throws(MissingField) -> C {
        do {
            return try C(from: FormDecoder(fields: fields))
        } catch DecodingError.keyNotFound(let key, _) {
            throw MissingField(name: key.stringValue.snakeCased)
        } catch DecodingError.dataCorrupted(let context) {
            throw MissingField(name: (context.codingPath.last?.stringValue ?? "body").snakeCased)
        } catch {
            throw MissingField(name: "body")
        }
    }
}

/// JSON as the protocol writes it: snake case, sorted, slashes as they are.
package enum WireJSON {
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }

    package static func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: data)
    }
}
