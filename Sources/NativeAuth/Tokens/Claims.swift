// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Wire

/// The claims of a token: what the tenant says about the account.
public struct Claims: Sendable, Equatable {
    let values: [String: JSONValue]
    /// The claims as the JSON object that the token holds.
    public let json: Data

    init(_ token: JWT) {
        values = token.claims
        json = token.payload
    }

    /// The names of all claims, sorted.
    public var names: [String] { values.keys.sorted() }

    /// A claim that is text.
    public func string(_ name: String) -> String? { values[name]?.string }

    /// A claim that is a whole number.
    public func integer(_ name: String) -> Int64? { values[name]?.integer }

    /// A claim that is a truth value.
    public func bool(_ name: String) -> Bool? {
        if case .bool(let value)? = values[name] { value } else { nil }
    }

    /// A claim that is one text or a list of texts.
    public func strings(_ name: String) -> [String] {
        switch values[name] {
        case .string(let value): [value]
        case .array(let values): values.compactMap(\.string)
        default: []
        }
    }

    /// A claim that is a time, in seconds since 1970.
    public func date(_ name: String) -> Date? {
        integer(name).map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }

    /// The claims of a token without any check of who signed it.
    ///
    /// - Parameter token: A JSON Web Token in its compact form.
    /// - Returns: Nil for text that is no such token; access tokens of some resources are not.
    public init?(uncheckedToken token: String) {
        guard let token = JWT(token) else { return nil }
        self.init(token)
    }
}
