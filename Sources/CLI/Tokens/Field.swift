// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Wire

/// One member of a JSON object, for scripts without jq.
enum Field {
    /// What a name leads to: a member of this name, else one member inside the other, with dots between their names.
    static func find(_ name: String, in object: [String: JSONValue]) -> JSONValue? {
        if let value = object[name] { return value }
        guard let dot = name.firstIndex(of: ".") else { return nil }
        return object[String(name[..<dot])]?.object.flatMap { find(String(name[name.index(after: dot)...]), in: $0) }
    }

    /// Text as it is, all else as JSON.
    static func text(_ value: JSONValue) throws -> String {
        if let text = value.string { return text.printable }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self).printable
    }
}

extension Context {
    /// Prints one member; its absence is a failure.
    func print(field name: String, of object: [String: JSONValue]) throws {
        guard let value = Field.find(name, in: object) else {
            throw CommandFailure(
                .failed, "There is no '\(name.printable)'.",
                hint: "There are: \(object.keys.sorted().map(\.printable).joined(separator: ", ")).")
        }
        try output.line(try Field.text(value))
    }

    /// The same for a value that has a JSON form.
    func print(field name: String, of value: some Encodable) throws {
        let object = JSONValue(json: try JSONEncoder().encode(value))?.object
        try print(field: name, of: object ?? [:])
    }
}
