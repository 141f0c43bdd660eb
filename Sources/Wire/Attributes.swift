// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The `attributes` field: a JSON object written as text inside a form field.
package struct Attributes: Codable, Sendable, Equatable {
    package var values: [String: JSONValue]

    package init(_ values: [String: JSONValue]) {
        self.values = values
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard case .object(let values)? = JSONValue(json: text.utf8) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a JSON object")
        }
        self.values = values
    }

    package func encode(to encoder: any Encoder) throws {
        let json = JSONEncoder()
        json.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: try json.encode(JSONValue.object(values)), as: UTF8.self))
    }
}

/// An attribute that a user flow asks for, as the server describes it.
package struct RequiredAttribute: Codable, Sendable, Equatable {
    package var name: String
    /// `string`, `boolean`, `integer` and others: an open set.
    package var type: String
    package var required: Bool
    package var options: Options?

    package init(name: String, type: String, required: Bool, options: Options? = nil) {
        self.name = name
        self.type = type
        self.required = required
        self.options = options
    }

    package struct Options: Codable, Sendable, Equatable {
        /// A pattern that the whole value has to match; a hint for the client, the server decides.
        package var regex: String?

        package init(regex: String?) {
            self.regex = regex
        }
    }
}

/// An element of `invalid_attributes` and `unverified_attributes`.
package struct AttributeName: Codable, Sendable, Equatable {
    package var name: String

    package init(name: String) {
        self.name = name
    }
}
