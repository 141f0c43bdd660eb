// SPDX-License-Identifier: Apache-2.0

import CPostgres
import CSQLite

/// What the server says to a statement.
struct PostgresAnswer: ~Copyable {
    private let result: OpaquePointer

    /// Throws what the server refuses, and takes care of the result in any case.
    init(_ result: OpaquePointer?, on session: PostgresSession) throws(StoreError) {
        guard let result else { throw StoreError(code: SQLITE_NOMEM, message: "out of memory") }
        guard na_pg_succeeded(result) != 0 else {
            defer { na_pg_free(result) }
            throw session.failure(String(cString: na_pg_state(result)), String(cString: na_pg_reason(result)))
        }
        self.result = result
    }

    deinit {
        na_pg_free(result)
    }

    /// `COMMIT`, or `ROLLBACK` where a transaction that had failed was to be committed.
    var tag: String { String(cString: na_pg_tag(result)) }

    var changed: Int { Int(na_pg_changed(result)) }

    func rows() throws(StoreError) -> [Row] {
        let columns = na_pg_columns(result)
        var rows: [Row] = []
        for row in 0..<na_pg_rows(result) {
            var values: [SQLValue] = []
            for column in 0..<columns { values.append(try value(row, column)) }
            rows.append(Row(values: values))
        }
        return rows
    }

    private func value(_ row: Int32, _ column: Int32) throws(StoreError) -> SQLValue {
        var length: Int32 = 0
        guard let start = na_pg_value(result, row, column, &length) else { return .null }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
        return switch na_pg_type(result, column) {
        case UInt32(NA_PG_INT8), UInt32(NA_PG_INT4): .integer(number(bytes))
        case UInt32(NA_PG_TEXT): .text(String(decoding: bytes, as: UTF8.self))
        case UInt32(NA_PG_BYTEA): .blob(Array(bytes))
        case let type: throw StoreError(code: SQLITE_MISMATCH, message: "a column of the type \(type)")
        }
    }

    /// A number in network order, of four bytes or eight.
    private func number(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        let sign: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
        return bytes.reduce(sign) { $0 << 8 | Int64($1) }
    }

    /// SQLite's code for an SQLSTATE, as far as it makes a difference to somebody (PostgreSQL documentation, appendix A).
    static func code(_ state: String) -> Int32 {
        switch state {
        case "53100": SQLITE_FULL
        case "25006": SQLITE_READONLY
        case "XX001", "XX002": SQLITE_CORRUPT
        case "42501": SQLITE_PERM
        case let state where state.hasPrefix("23"): SQLITE_CONSTRAINT
        // Connections are refused or ended: the server stops, starts, recovers, or has too many.
        case let state where state.hasPrefix("08") || state.hasPrefix("57P") || state == "53300": SQLITE_NOTFOUND
        // Somebody else has it locked for too long.
        case "55P03", "57014", "40001", "40P01": SQLITE_BUSY
        default: SQLITE_ERROR
        }
    }
}
