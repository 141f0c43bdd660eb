// SPDX-License-Identifier: Apache-2.0

import Wire

/// The members of a JSON value and their types, without the values.
indirect enum JSONShape: Equatable, ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    case text
    case number
    case truth
    case null
    /// An array whose elements have these shapes.
    case list([JSONShape])
    case object([String: JSONShape])

    init(dictionaryLiteral elements: (String, JSONShape)...) {
        self = .object(Dictionary(uniqueKeysWithValues: elements))
    }

    init(arrayLiteral elements: JSONShape...) {
        self = .list(elements)
    }

    init(of value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool: self = .truth
        case .integer, .number: self = .number
        case .string: self = .text
        case .array(let elements): self = .list(elements.map(JSONShape.init(of:)))
        case .object(let members): self = .object(members.mapValues(JSONShape.init(of:)))
        }
    }

    /// An object with further members.
    static func + (left: JSONShape, right: JSONShape) -> JSONShape {
        guard case .object(let members) = left, case .object(let more) = right else { return right }
        return .object(members.merging(more) { $1 })
    }
}
