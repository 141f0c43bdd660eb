// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A SQLite database with one connection, which one thread uses at a time.
///
/// One connection, because SQLite before 3.51.3 can corrupt a database in WAL mode when one connection checkpoints
/// while another commits (sqlite.org/wal.html, "WAL-reset").
final class SQLiteStore: Sendable {
    private let turn: Mutex<DatabaseTurn>
    /// How many transactions wait for their turn.
    private let waiting = Atomic<Int>(0)
    private let faults = Faults()

    init(_ path: String, _ use: SQLiteSession.Use) throws(StoreError) {
        turn = Mutex(DatabaseTurn(try SQLiteSession(path, use), faults))
    }

    var hasLostDisk: Bool { faults.areLasting }

    /// How many transactions wait for their turn.
    var queued: Int { waiting.load(ordering: .relaxed) }

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

    func transaction<T>(_ body: (inout Connection) throws -> sending T) throws -> sending T {
        waiting.add(1, ordering: .relaxed)
        let done = try turn.withLock { turn in
            waiting.subtract(1, ordering: .relaxed)
            return try turn.run(body) { waiting.load(ordering: .relaxed) > 0 }
        }
        // What a refusal says may rest on what others of the group did, so it waits as well.
        try done.group?.wait()
        return try done.result.get()
    }

    /// Runs `body` with the connection outside of any transaction.
    func withConnection<T>(_ body: (inout Connection) throws -> sending T) throws -> sending T {
        try turn.withLock { turn in
            try turn.runAlone { session in
                var connection = Connection(session)
                return try body(&connection)
            }
        }
    }

    /// Begins a copy into a file.
    func beginCopy(to path: String) throws -> DatabaseCopy {
        try turn.withLock { turn in try turn.runAlone { session in try DatabaseCopy(of: session, to: path) } }
    }
}
