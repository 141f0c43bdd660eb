// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc

/// The one connection to a SQLite database. Its pointers leave it for a copy alone.
final class SQLiteSession: StoreSession, @unchecked Sendable {
    // Unchecked: it is used only under the mutex of ``SQLiteStore``.
    private(set) var handle: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]
    private let path: String
    private let use: Use
    /// Whether the disk has failed: what is in the files, and what SQLite takes for their content, may be two things.
    private(set) var isDoubtful = false

    enum Use {
        case changing
        /// For one that only looks: other rules are not brought to the file, and it is not made.
        case looking
    }

    init(_ path: String, _ use: Use) throws(StoreError) {
        self.path = path
        self.use = use
        handle = try Self.open(path, use)
        try configure()
    }

    static func open(_ path: String) throws(StoreError) -> OpaquePointer { try open(path, .changing) }

    private static func open(_ path: String, _ use: Use) throws(StoreError) -> OpaquePointer {
        var handle: OpaquePointer?
        let access = use == .changing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        let result = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, nil)
        guard result == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw failure(result, of: handle)
        }
        return handle
    }

    private func configure() throws(StoreError) {
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 2000)
        for pragma in use == .changing ? Self.pragmas : Self.caution { _ = try rows(pragma, []) }
    }

    private func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Opens the files again after a failure of the disk.
    ///
    /// What a failed sync was about may be in the system's memory and not on the disk, and no later sync will tell. So
    /// nothing is added to such a log: it goes into the database as a whole, and a new one is begun.
    func openAnewIfDoubtful() throws(StoreError) {
        guard isDoubtful else { return }
        close()
        handle = try Self.open(path, use)
        try configure()
        guard try rows("PRAGMA wal_checkpoint(TRUNCATE)", []).first?.integer(0) == 0 else {
            throw StoreError(code: SQLITE_BUSY, message: "the log cannot be ended")
        }
        isDoubtful = false
    }

    /// Durable at every commit, and wary of damage.
    private static let pragmas =
        ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON"] + caution
        + ["PRAGMA secure_delete = ON"]

    private static let caution = [
        "PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0",
    ]

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    func run(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> StatementResult {
        let rows = try rows(sql, values)
        return StatementResult(rows: rows, changed: Int(sqlite3_changes(handle)))
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private func rows(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> [Row] {
        let statement = try prepare(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try check(bind(value, to: statement, at: Int32(index + 1))) }
        var rows: [Row] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(Row(values: columns(of: statement)))
            case SQLITE_DONE: return rows
            case let code: throw failure(code)
            }
        }
    }

    func each(_ sql: String, _ body: (Row) throws -> Void) throws {
        let statement = try prepare(sql)
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(Row(values: columns(of: statement)))
            case SQLITE_DONE: return
            case let code: throw failure(code)
            }
        }
    }

    private func prepare(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, Self.dialect(sql), -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw StoreError(code: SQLITE_MISUSE, message: "an empty statement") }
        statements[sql] = statement
        return statement
    }

    /// Statements are written for both engines; what SQL calls least and greatest, SQLite calls min and max.
    private static func dialect(_ sql: String) -> String {
        sql.replacing("least(", with: "min(").replacing("greatest(", with: "max(")
    }

    private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let value): sqlite3_bind_int64(statement, index, value)
        case .text(let value): na_sqlite3_bind_text(statement, index, value, Int32(value.utf8.count))
        case .blob(let value): na_sqlite3_bind_blob(statement, index, value, Int32(value.count))
        }
    }

    private func columns(of statement: OpaquePointer) -> [SQLValue] {
        (0..<sqlite3_column_count(statement)).map { column in
            switch sqlite3_column_type(statement, column) {
            case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
            case SQLITE_NULL: return .null
            case SQLITE_TEXT:
                let text = UnsafeBufferPointer(
                    start: sqlite3_column_text(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
                return .text(String(decoding: text, as: UTF8.self))
            default:
                let bytes = UnsafeRawBufferPointer(
                    start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
                return .blob(Array(bytes))
            }
        }
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: Int32) -> StoreError {
        let error = Self.failure(code, of: handle)
        if code & 0xFF == SQLITE_IOERR, error.reason != .diskFull { isDoubtful = true }
        return error
    }

    static func failure(_ code: Int32, of handle: OpaquePointer?) -> StoreError {
        let primary = code & 0xFF
        let system = primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN ? sqlite3_system_errno(handle) : 0
        let words = system == 0 ? String(cString: sqlite3_errmsg(handle)) : String(cString: strerror(system))
        return StoreError(code: code, message: words, systemError: system)
    }
}
