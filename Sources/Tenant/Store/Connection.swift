// SPDX-License-Identifier: Apache-2.0

import Wire

/// What runs a transaction's statements, one at a time, on one thread.
protocol StoreSession: AnyObject, Sendable {
    /// Runs a statement with bound values: `?`, or `?1` for one that comes more than once.
    func run(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> StatementResult

    /// Runs a query whose rows are too many to be held at once.
    func each(_ sql: String, _ body: (Row) throws -> Void) throws
}

/// What came of a statement.
struct StatementResult {
    var rows: [Row] = []
    /// How many rows it changed.
    var changed = 0
}

/// A connection with a transaction on it, for whoever has its turn.
package struct Connection: ~Copyable, Sendable {
    let session: any StoreSession
    private var memories: [@Sendable () -> Void] = []

    init(_ session: any StoreSession) {
        self.session = session
    }

    /// Whether other processes use the database at the same time.
    var isShared: Bool { session is PostgresSession }

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    package mutating func run(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int {
        try session.run(sql, values).changed
    }

    /// Runs a query.
    package mutating func rows(_ sql: String, _ values: SQLValue...) throws(StoreError) -> [Row] {
        try session.run(sql, values).rows
    }

    /// Hands out the rows of a query without values, one by one.
    func each(_ sql: String, _ body: (Row) throws -> Void) throws {
        try session.each(sql, body)
    }

    /// Lets the numbers of a table go on from the highest that there is.
    func goOnNumbering(_ table: String) throws(StoreError) {
        // SQLite's do so by themselves.
        guard isShared else { return }
        _ = try session.run(
            "SELECT setval(pg_get_serial_sequence(?1, 'id'), (SELECT max(id) FROM " + table + "))", [.text(table)])
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

    /// A failed COMMIT may have ended the transaction already; then there is nothing to roll back.
    mutating func rollBack() {
        _ = try? run("ROLLBACK")
    }

    /// Says how something in memory is undone that rests on the transaction, in case that is run again.
    mutating func ifRunAgain(_ undo: @escaping @Sendable () -> Void) {
        memories.append(undo)
    }

    /// Undoes what is in memory.
    consuming func forget() {
        for undo in memories.reversed() { undo() }
    }
}
