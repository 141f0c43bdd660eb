// SPDX-License-Identifier: Apache-2.0

/// A value in a column.
package enum SQLValue: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(_ value: String?) { self = value.map { .text($0) } ?? .null }
}

/// A row of an answer, its columns in the order of the query.
package struct Row: Sendable {
    let values: [SQLValue]

    package func text(_ column: Int) -> String? {
        if case .text(let value) = values[column] { value } else { nil }
    }

    package func integer(_ column: Int) -> Int64? {
        if case .integer(let value) = values[column] { value } else { nil }
    }

    func blob(_ column: Int) -> [UInt8]? {
        if case .blob(let value) = values[column] { value } else { nil }
    }
}
