// SPDX-License-Identifier: Apache-2.0

/// What whoever has the turn has: the session, and the group that has not committed yet. Each transaction has a connection of
/// its own, which is gone with what it remembers.
struct DatabaseTurn: ~Copyable {
    private let session: SQLiteSession
    private var group: CommitGroup?
    private var members = 0
    private let faults: Faults

    struct Done<T> {
        let result: Result<T, any Error>
        /// What to wait for; nil if there is nothing.
        let group: CommitGroup?
    }

    init(_ session: SQLiteSession, _ faults: Faults) {
        self.session = session
        self.faults = faults
    }

    /// Runs a member of the group, and ends the group unless others wait who can become members.
    mutating func run<T>(
        _ body: (inout Connection) throws -> sending T, othersWait: () -> Bool
    ) throws -> sending Done<T> {
        guard let group else { return try begin(body, othersWait: othersWait) }
        let result = try join(group, body)
        members += 1
        if members >= CommitGroup.limit || !othersWait() { end(group) }
        return Done(result: result, group: group)
    }

    /// Runs `body` outside of any transaction, when the group has ended.
    mutating func runAlone<T>(_ body: (SQLiteSession) throws -> sending T) throws -> sending T {
        if let group { end(group) }
        return try body(session)
    }

    /// The first needs no savepoint: what it leaves to roll back is the whole transaction.
    private mutating func begin<T>(
        _ body: (inout Connection) throws -> sending T, othersWait: () -> Bool
    ) throws -> sending Done<T> {
        var connection = Connection(session)
        do {
            try session.openAnewIfDoubtful()
            try connection.run("BEGIN IMMEDIATE")
            let value = try body(&connection)
            guard !othersWait() else {
                let group = CommitGroup()
                self.group = group
                members = 1
                return Done(result: .success(value), group: group)
            }
            try connection.run("COMMIT")
            faults.note(false)
            return Done(result: .success(value), group: nil)
        } catch {
            connection.rollBack()
            faults.note(session.isDoubtful)
            throw error
        }
    }

    /// Throws where the whole group is lost; what the body throws is its own result.
    private mutating func join<T>(
        _ group: CommitGroup, _ body: (inout Connection) throws -> sending T
    ) throws -> sending Result<T, any Error> {
        var connection = Connection(session)
        do {
            try connection.run("SAVEPOINT member")
            let value = try body(&connection)
            try connection.run("RELEASE member")
            return .success(value)
        } catch {
            do throws(StoreError) {
                // Some failures, as that of a full disk, end the transaction with all that others did in it.
                guard session.isInTransaction else { throw (error as? StoreError) ?? .lostTransaction }
                try connection.run("ROLLBACK TO member")
                try connection.run("RELEASE member")
            } catch let loss {
                connection.rollBack()
                faults.note(session.isDoubtful)
                self.group = nil
                group.finish(loss)
                throw loss
            }
            return .failure(error)
        }
    }

    private mutating func end(_ group: CommitGroup) {
        self.group = nil
        var connection = Connection(session)
        do throws(StoreError) {
            try connection.run("COMMIT")
            faults.note(false)
            group.finish()
        } catch {
            connection.rollBack()
            faults.note(session.isDoubtful)
            group.finish(error)
        }
    }
}
