// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Dispatch
import Glibc
import Synchronization

/// A PostgreSQL database that servers share. Transactions run side by side on a few connections; the server makes sure that
/// they have the effect of one after the other (PostgreSQL documentation, 13.2.3).
final class PostgresStore: Sendable {
    private let pool: PostgresPool

    /// Connects when there is something to ask.
    init(_ address: String) {
        pool = PostgresPool(address)
    }

    /// Connects, and brings the database to this program's version.
    convenience init(preparing address: String) throws {
        self.init(address)
        try once { session in try PostgresSchema.prepare(session) }
    }

    var queued: Int { pool.queued }

    func look<T>(_ body: (inout Connection) -> sending T) throws(StoreError) -> sending T {
        do {
            return try once { session in
                try session.command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                var connection = Connection(session)
                let value = body(&connection)
                _ = try? session.command("ROLLBACK")
                return value
            }
        } catch {
            throw (error as? StoreError) ?? .lostTransaction
        }
    }

    /// Runs `body` with a connection, and never again.
    private func once<T>(_ body: (PostgresSession) throws -> sending T) throws -> sending T {
        do {
            return try pool.use(body)
        } catch let again as PostgresPool.RunAgain {
            throw again.reason
        }
    }

    /// Runs `body` until it has come to pass or refuses. It is run again where nothing of it can have come to pass: others
    /// were in its way, or there was no connection when the server was to be asked to commit. What a lost COMMIT has led to
    /// nobody knows; a client that asks again finds out.
    func transaction<T>(_ body: (inout Connection) throws -> sending T) throws -> sending T {
        let start = ContinuousClock.now
        var attempts: UInt32 = 0
        while true {
            do {
                return try pool.use { session in try Self.attempt(body, on: session) }
            } catch let again as PostgresPool.RunAgain {
                attempts += 1
                // One that takes long by itself, as the making of a tenant, has a second and a third chance all the same.
                guard attempts < 3 || ContinuousClock.now - start < Self.patience else { throw again.reason }
                // Those who were in each other's way go on at different times.
                if attempts > 1 { usleep(UInt32.random(in: 0...(1000 << min(attempts, 6)))) }
            }
        }
    }

    /// For how long a transaction is run again: less than a client waits for an answer.
    private static let patience: Duration = .seconds(6)

    private static func attempt<T>(
        _ body: (inout Connection) throws -> sending T, on session: PostgresSession
    ) throws -> sending T {
        session.beginAnew()
        var connection = Connection(session)
        var isAskedToCommit = false
        do {
            try session.command("BEGIN")
            let value = try body(&connection)
            // The body may have taken the server's refusal for an answer.
            if session.hasConflict { throw StoreError.lostTransaction }
            isAskedToCommit = true
            guard try session.command("COMMIT") == "COMMIT" else { throw StoreError.lostTransaction }
            return value
        } catch {
            if session.isOpen { connection.rollBack() }
            guard session.hasConflict || !session.isOpen && !isAskedToCommit else { throw error }
            connection.forget()
            throw PostgresPool.RunAgain(reason: (error as? StoreError) ?? .lostTransaction)
        }
    }
}

/// A few connections to one database, which are lent out.
final class PostgresPool: Sendable {
    /// More would not make a server of two or four cores quicker; several tenants' servers share the database's.
    private static let size = 8

    private let address: String
    private let places = DispatchSemaphore(value: size)
    private let idle = Mutex<[PostgresSession]>([])
    private let waiting = Atomic<Int>(0)

    init(_ address: String) {
        self.address = address
    }

    /// How many wait for a connection.
    var queued: Int { waiting.load(ordering: .relaxed) }

    /// Thrown where nothing of a transaction has come to pass, and there is hope.
    struct RunAgain: Error {
        let reason: StoreError
    }

    /// Lends a connection out; one that was lost is not lent again.
    func use<T>(_ body: (PostgresSession) throws -> sending T) throws -> sending T {
        try enter()
        defer { places.signal() }
        let session = try idle.withLock { $0.popLast() } ?? connect()
        defer { if session.isOpen { idle.withLock { $0.append(session) } } }
        return try body(session)
    }

    private func connect() throws -> PostgresSession {
        do throws(StoreError) {
            return try PostgresSession(address)
        } catch {
            guard error.reason == .unreachable else { throw error }
            throw RunAgain(reason: error)
        }
    }

    private func enter() throws(StoreError) {
        waiting.add(1, ordering: .relaxed)
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard places.wait(timeout: .now() + .seconds(5)) == .success else {
            throw StoreError(code: SQLITE_BUSY, message: "all connections to the database are in use")
        }
    }
}
