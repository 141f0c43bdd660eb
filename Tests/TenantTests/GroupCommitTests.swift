// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Tenant

/// Transactions that come at the same time become durable together, and each is still one of its own.
struct GroupCommitTests {
    private typealias Body = @Sendable (Int, inout Connection) throws -> Void

    private struct Unwanted: Error {}

    /// A database with a table of numbers.
    private func numbers() throws -> Database {
        let path = "/tmp/nativeauth-group-\(UUID().uuidString).db"
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let database = try Database(path: path)
        try database.transaction { connection in
            try connection.run("CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT")
            try connection.run(
                """
                CREATE TABLE number (
                    value INTEGER PRIMARY KEY,
                    parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED
                ) STRICT
                """)
        }
        return database
    }

    /// Inserts as many numbers, each in a transaction on a thread of its own; the first one holds the turn until all others
    /// wait for it. Returns what came of each.
    private func insert(_ count: Int, into database: Database, then more: @escaping Body) -> [Int: Bool] {
        let results = Mutex<[Int: Bool]>([:])
        let entered = DispatchSemaphore(value: 0)
        let done = DispatchGroup()
        for number in 0..<count {
            done.enter()
            Thread.detachNewThread {
                let result = Result {
                    try database.transaction { connection in
                        if number == 0 {
                            entered.signal()
                            while database.queued < count - 1 { sched_yield() }
                        }
                        try connection.run("INSERT INTO number (value) VALUES (?)", .integer(Int64(number)))
                        try more(number, &connection)
                    }
                }
                results.withLock { $0[number] = (try? result.get()) != nil }
                done.leave()
            }
            if number == 0 { entered.wait() }
        }
        done.wait()
        return results.withLock { $0 }
    }

    private func stored(_ database: Database) throws -> Set<Int> {
        try database.transaction { connection in
            Set(try connection.rows("SELECT value FROM number").compactMap { $0.integer(0).map(Int.init) })
        }
    }

    @Test(arguments: [2, 10, CommitGroup.limit, 3 * CommitGroup.limit + 5])
    func allAreThere(_ count: Int) throws {
        let database = try numbers()
        let results = insert(count, into: database) { _, _ in }
        #expect(results.values.allSatisfy { $0 } && results.count == count)
        #expect(try stored(database) == Set(0..<count))
    }

    /// The first one has no savepoint, and the last one commits, so both have a way of their own to fail.
    @Test(arguments: [[0], [5], [9], [0, 9], [1, 2, 3], Array(0..<10)])
    func failureTakesNothingWithIt(_ failing: [Int]) throws {
        let database = try numbers()
        let results = insert(10, into: database) { number, _ in
            if failing.contains(number) { throw Unwanted() }
        }
        #expect(Set(results.filter { !$0.value }.keys) == Set(failing))
        #expect(try stored(database) == Set(0..<10).subtracting(failing))
    }

    /// What breaks a deferred constraint is found at the COMMIT, which is everybody's.
    @Test func commitThatFailsIsEverybodys() throws {
        let database = try numbers()
        let results = insert(10, into: database) { number, connection in
            guard number == 5 else { return }
            try connection.run("UPDATE number SET parent = 99 WHERE value = 5")
        }
        #expect(results.values.allSatisfy { !$0 } && results.count == 10)
        #expect(try stored(database).isEmpty)
        #expect(insert(3, into: database) { _, _ in }.values.allSatisfy { $0 })
        #expect(try stored(database) == [0, 1, 2])
    }

    /// A full disk makes SQLite roll back the whole transaction, whoever's statement it was.
    @Test(arguments: [0, 4, 9])
    func lostTransactionIsToldToAllWhoWereInIt(_ fatal: Int) throws {
        let database = try numbers()
        let results = insert(10, into: database) { number, connection in
            guard number == fatal else { return }
            try connection.run("ROLLBACK")
            throw Unwanted()
        }
        #expect(results[fatal] == false)
        #expect(try stored(database) == Set(results.filter(\.value).keys))
    }

    /// What is to be undone if a transaction is run again is of no use after it, and would grow with each request.
    @Test func whatATransactionRemembersGoesWithIt() throws {
        final class Memory: Sendable {}
        let database = try Database(path: ":memory:")
        var memory = Memory()
        for _ in 0..<2 {
            try database.transaction { [memory] connection in
                connection.ifRunAgain { withExtendedLifetime(memory) {} }
            }
        }
        #expect(isKnownUniquelyReferenced(&memory))
    }
}
