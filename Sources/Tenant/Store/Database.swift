// SPDX-License-Identifier: Apache-2.0

/// The tenant's database: a file of SQLite's, or a PostgreSQL database that several servers share.
package final class Database: Sendable {
    private enum Engine {
        case sqlite(SQLiteStore)
        case postgres(PostgresStore)
    }

    private let engine: Engine

    /// Opens or creates the file.
    package init(path: String) throws(StoreError) {
        engine = .sqlite(try SQLiteStore(path, .changing))
    }

    /// Opens a file to look at it, and changes nothing.
    package init(reading path: String) throws(StoreError) {
        engine = .sqlite(try SQLiteStore(path, .looking))
    }

    /// Connects to a server, and brings the database there to this program's version.
    ///
    /// - Parameter address: A connection string of libpq's (PostgreSQL documentation, 34.1.1).
    package init(postgres address: String) throws {
        engine = .postgres(try PostgresStore(preparing: address))
    }

    /// The same to look at it as it is.
    init(lookingAt address: String) {
        engine = .postgres(PostgresStore(address))
    }

    /// Whether other processes may use it at the same time.
    package var isShared: Bool {
        if case .postgres = engine { true } else { false }
    }

    /// Whether the disk failed again after the database had been opened anew: then only a new start can help, or somebody.
    package var hasLostDisk: Bool {
        if case .sqlite(let store) = engine { store.hasLostDisk } else { false }
    }

    /// How many transactions wait for their turn.
    var queued: Int {
        switch engine {
        case .sqlite(let store): store.queued
        case .postgres(let store): store.queued
        }
    }

    /// Runs queries that see the database at one moment.
    func look<T>(_ body: (inout Connection) -> sending T) throws(StoreError) -> sending T {
        switch engine {
        case .sqlite(let store): try store.look(body)
        case .postgres(let store): try store.look(body)
        }
    }

    /// Runs `body` in one transaction. What it wrote is durable once this returns; if it throws, nothing was written.
    ///
    /// Transactions of one SQLite database that come at the same time run one after the other, and become durable together
    /// (``CommitGroup``). Those of PostgreSQL run side by side and have the effect of one after the other: where the server
    /// sees that they would not, `body` is run again.
    package func transaction<T>(_ body: (inout Connection) throws -> sending T) throws -> sending T {
        switch engine {
        case .sqlite(let store): try store.transaction(body)
        case .postgres(let store): try store.transaction(body)
        }
    }

    /// Copies the database into a new file. Requests are answered between two steps, and what they change is in the copy:
    /// SQLite carries changes of the same connection over.
    func copy(to path: String, _ tell: (AdminProgress) throws -> Void) throws {
        guard case .sqlite(let store) = engine else { throw KeptElsewhere() }
        let copy = try store.beginCopy(to: path)
        while try !store.withConnection({ _ in try copy.step(256) }) { try tell(copy.progress) }
    }

    /// The database is not a file that could be copied: its server has its own ways.
    package struct KeptElsewhere: Error {}
}
