// SPDX-License-Identifier: Apache-2.0

package import Wire

/// The value of a user attribute, or of a claim in a ``ClaimsRequest``.
public enum AttributeValue: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
    /// Text; what tenants expect for every type of attribute.
    case string(String)
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case number(Double)
    /// Several values, for an attribute with more than one.
    case list([AttributeValue])
    /// Values by name.
    case object([String: AttributeValue])
    /// No value: JSON's `null`.
    case null

    /// Text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// Any value that JSON has.
    package init(_ json: JSONValue) {
        switch json {
        case .string(let value): self = .string(value)
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value)
        case .array(let values): self = .list(values.map(AttributeValue.init))
        case .object(let values): self = .object(values.mapValues(AttributeValue.init))
        case .null: self = .null
        }
    }

    var json: JSONValue {
        switch self {
        case .string(let value): .string(value)
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .number(let value): .number(value)
        case .list(let values): .array(values.map(\.json))
        case .object(let values): .object(values.mapValues(\.json))
        case .null: .null
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
