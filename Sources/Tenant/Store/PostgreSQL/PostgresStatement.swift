// SPDX-License-Identifier: Apache-2.0

import CPostgres

/// A statement, and the types of the values that it is run with: PostgreSQL plans it for those.
struct PostgresStatement: Hashable {
    private let sql: String
    let types: [UInt32]

    init(_ sql: String, _ values: [SQLValue]) {
        self.sql = sql
        types = values.map { value in
            switch value {
            case .null: UInt32(NA_PG_UNKNOWN)
            case .integer: UInt32(NA_PG_INT8)
            case .text: UInt32(NA_PG_TEXT)
            case .blob: UInt32(NA_PG_BYTEA)
            }
        }
    }

    /// The same with parameters as PostgreSQL writes them: `$1` for the first `?`, and for each `?1`.
    var numbered: String {
        var text = ""
        var count = 0
        var isQuoted = false
        var rest = sql[...]
        while let character = rest.popFirst() {
            if character == "'" { isQuoted.toggle() }
            guard character == "?", !isQuoted else {
                text.append(character)
                continue
            }
            text.append("$")
            guard rest.first?.isNumber != true else { continue }
            count += 1
            text += String(count)
        }
        return text
    }
}

/// Values on their way to the server, in its binary form (PostgreSQL documentation, 34.3.1).
struct PostgresParameters {
    private var bytes: [UInt8] = [0]
    /// Where each begins; nil for null.
    private var starts: [Int?] = []
    private(set) var lengths: [Int32] = []

    init(_ values: [SQLValue]) {
        for value in values {
            switch value {
            case .null: add(nil)
            case .integer(let number): add(withUnsafeBytes(of: number.bigEndian) { Array($0) })
            case .text(let text): add(Array(text.utf8))
            case .blob(let blob): add(blob)
            }
        }
    }

    private mutating func add(_ value: [UInt8]?) {
        starts.append(value == nil ? nil : bytes.count)
        lengths.append(Int32(value?.count ?? 0))
        bytes += value ?? []
        // Every value has an address, an empty one too.
        bytes.append(0)
    }

    var areBinary: [Int32] { Array(repeating: 1, count: lengths.count) }

    func withPointers<T>(_ body: ([UnsafePointer<CChar>?]) -> T) -> T {
        bytes.withUnsafeBytes { raw in
            body(
                starts.map { start in
                    start.flatMap { raw.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
                })
        }
    }
}
