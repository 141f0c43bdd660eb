// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc
import Synchronization
import Wire

/// A SQLite database with one connection, which one thread uses at a time.
///
/// One connection, because SQLite before 3.51.3 can corrupt a database in WAL mode when one connection checkpoints
/// while another commits (sqlite.org/wal.html, "WAL-reset").
package final class Database: Sendable {
    private let turn: Mutex<DatabaseTurn>
    /// How many transactions wait for their turn.
    private let waiting = Atomic<Int>(0)
    private let faults = Faults()

    /// Opens or creates the file.
    package init(path: String) throws(StoreError) {
        turn = Mutex(DatabaseTurn(try Connection(path, .changing), faults))
    }

    /// Opens a file to look at it, and changes nothing.
    init(reading path: String) throws(StoreError) {
        turn = Mutex(DatabaseTurn(try Connection(path, .looking), faults))
    }

    /// Whether the disk failed again after the database had been opened anew: then only a new start can help, or somebody.
    package var hasLostDisk: Bool { faults.areLasting }

    /// Runs queries that see the database at one moment.
    func look<T>(_ body: (inout Connection) -> sending T) throws(StoreError) -> sending T {
        do {
            return try withConnection { connection in
                try connection.run("BEGIN")
                let value = body(&connection)
                try connection.run("ROLLBACK")
                return value
            }
        } catch {
            throw (error as? StoreError) ?? .lostTransaction
        }
    }

    /// Runs `body` in one transaction. What it wrote is durable once this returns; if it throws, nothing was written.
    ///
    /// Transactions that come at the same time become durable together (``CommitGroup``). They still run one after the
    /// other, and each sees what those before it did.
    package func transaction<T>(_ body: (inout Connection) throws -> sending T) throws -> sending T {
        waiting.add(1, ordering: .relaxed)
        let done = try turn.withLock { turn in
            waiting.subtract(1, ordering: .relaxed)
            return try turn.run(body) { waiting.load(ordering: .relaxed) > 0 }
        }
        // What a refusal says may rest on what others of the group did, so it waits as well.
        try done.group?.wait()
        return try done.result.get()
    }

    /// How many transactions wait for their turn.
    var queued: Int { waiting.load(ordering: .relaxed) }

    /// Runs `body` with the connection outside of any transaction.
    func withConnection<T>(_ body: (inout Connection) throws -> sending T) throws -> sending T {
        try turn.withLock { turn in try turn.runAlone(body) }
    }
}

/// SQLite's refusal.
package struct StoreError: Error, Sendable, Equatable {
    /// SQLite's extended result code.
    package let code: Int32
    package let message: String
    /// The system's error behind it; 0 if there is none.
    package let systemError: Int32

    package init(code: Int32, message: String, systemError: Int32 = 0) {
        self.code = code
        self.message = message
        self.systemError = systemError
    }

    /// The transaction ended before its time, and nothing said why.
    static let lostTransaction = StoreError(code: SQLITE_ABORT, message: "the transaction is gone")
    /// There is no room, and what there is is not for this.
    static let noRoom = StoreError(code: SQLITE_FULL, message: "database or disk is full", systemError: ENOSPC)

    enum Reason: Sendable {
        case diskFull
        case readOnly
        case damaged
        case other
    }

    /// What the code means to the tenant's owner; the low byte is SQLite's primary code.
    var reason: Reason {
        if systemError == ENOSPC || systemError == EDQUOT { return .diskFull }
        return switch code & 0xFF {
        case SQLITE_FULL: .diskFull
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        default: .other
        }
    }
}

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
    fileprivate let values: [SQLValue]

    package func text(_ column: Int) -> String? {
        if case .text(let value) = values[column] { value } else { nil }
    }

    package func integer(_ column: Int) -> Int64? {
        if case .integer(let value) = values[column] { value } else { nil }
    }

    package func blob(_ column: Int) -> [UInt8]? {
        if case .blob(let value) = values[column] { value } else { nil }
    }
}

/// The one connection. Its pointers never leave it.
package struct Connection: ~Copyable, @unchecked Sendable {
    // Unchecked: the pointers are used only under the mutex of `Database`.
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

    private mutating func configure() throws(StoreError) {
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 2000)
        for pragma in use == .changing ? Self.pragmas : Self.caution { _ = try rows(pragma) }
    }

    private mutating func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Opens the files again after a failure of the disk.
    ///
    /// What a failed sync was about may be in the system's memory and not on the disk, and no later sync will tell. So
    /// nothing is added to such a log: it goes into the database as a whole, and a new one is begun.
    mutating func openAnewIfDoubtful() throws(StoreError) {
        guard isDoubtful else { return }
        close()
        handle = try Self.open(path, use)
        try configure()
        guard try rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.integer(0) == 0 else {
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

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    package mutating func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int {
        _ = try rows(sql, values)
        return Int(sqlite3_changes(handle))
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// A failed COMMIT may have ended the transaction already; then there is nothing to roll back.
    mutating func rollBack() {
        _ = try? run("ROLLBACK")
    }

    /// Runs `body` inside of the transaction: where it refuses, what it wrote is taken back, and what was written before
    /// it is not. Any other error is for the whole transaction.
    mutating func attempt<T>(_ body: (inout Connection) throws -> T) throws -> Result<T, Refusal> {
        try run("SAVEPOINT attempt")
        do {
            let value = try body(&self)
            try run("RELEASE attempt")
            return .success(value)
        } catch let refusal as Refusal {
            try run("ROLLBACK TO attempt")
            try run("RELEASE attempt")
            return .failure(refusal)
        }
    }

    /// Runs a query.
    package mutating func rows(_ sql: String, _ values: SQLValue...) throws(StoreError) -> [Row] {
        try rows(sql, values)
    }

    private mutating func rows(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> [Row] {
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

    private mutating func prepare(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw StoreError(code: SQLITE_MISUSE, message: "an empty statement") }
        statements[sql] = statement
        return statement
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

    private mutating func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private mutating func failure(_ code: Int32) -> StoreError {
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
