// SPDX-License-Identifier: Apache-2.0

import Wire

/// The value of a user attribute, or of a claim in a ``ClaimsRequest``.
public enum AttributeValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral
{
    /// Text; what tenants expect for every type of attribute.
    case string(String)
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)

    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    var json: JSONValue {
        switch self {
        case .string(let value): .string(value)
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        }
    }
}

extension Attributes {
    init(_ values: [String: AttributeValue]) {
        self.init(values.mapValues(\.json))
    }
}

/// An attribute that a user flow asks for.
public struct RequestedAttribute: Sendable, Hashable {
    /// The name under which a value is submitted: `country`, or `extension_{app id}_{name}` for a custom one.
    public let name: String
    /// The server's word for the type: `string`, `boolean`, `integer`, and maybe others.
    public let type: String
    /// Whether the sign-up can end without it.
    public let isRequired: Bool
    /// A pattern that the whole value has to match, if the tenant tells one. A hint: the tenant decides.
    public let pattern: String?

    init(_ wire: RequiredAttribute) {
        name = wire.name
        type = wire.type
        isRequired = wire.required
        pattern = wire.options?.regex.flatMap { $0.isEmpty ? nil : $0 }
    }
}
