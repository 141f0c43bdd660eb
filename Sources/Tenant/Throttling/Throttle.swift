// SPDX-License-Identifier: Apache-2.0

/// What is counted in the database, so that a restart forgives nothing. Names that nobody has are counted as those of
/// accounts are: a limit tells nothing about who has one.
enum Throttle: String, Sendable {
    /// Wrong codes for one account, or one address, in all flows.
    case wrongCodes
    /// Wrong passwords for one name.
    case wrongPasswords
    /// Wrong codes and wrong passwords from one network.
    case failures
    /// A name that one network has asked for.
    case name
    /// How many such names there were.
    case names
    /// Codes that were sent because of one network.
    case codesByNetwork
    /// Codes that were sent at all.
    case codes
    /// Calls of one flow.
    case calls

    /// In seconds, from the first event.
    var window: Int64 {
        switch self {
        case .wrongCodes, .wrongPasswords, .failures, .codesByNetwork, .codes: 3600
        case .name, .names, .calls: 60
        }
    }
}

/// Too much of something: the answer is 429, and says how many seconds to wait.
struct Throttled: Error {
    let seconds: Int64
}

extension Connection {
    /// Counts an event, and returns how many there have been in the window that runs. One statement, so that of two events
    /// at once neither is lost.
    @discardableResult
    mutating func count(_ throttle: Throttle, _ subject: [UInt8], at seconds: Int64) throws(StoreError) -> Int64 {
        try rows(
            """
            INSERT INTO throttle (kind, subject, ends_at, count) VALUES (?1, ?2, ?3 + ?4, 1)
            ON CONFLICT (kind, subject) DO UPDATE SET
            count = CASE WHEN throttle.ends_at <= ?3 THEN 1 ELSE throttle.count + 1 END,
            ends_at = CASE WHEN throttle.ends_at <= ?3 THEN ?3 + ?4 ELSE throttle.ends_at END
            RETURNING count
            """, .text(throttle.rawValue), .blob(subject), .integer(seconds), .integer(throttle.window)
        ).first?.integer(0) ?? 0
    }

    /// Refuses where there have been so many events already; zero is no limit.
    mutating func check(_ throttle: Throttle, _ subject: [UInt8], limit: Int, at seconds: Int64) throws {
        guard limit > 0 else { return }
        let row = try rows(
            "SELECT ends_at FROM throttle WHERE kind = ? AND subject = ? AND ends_at > ? AND count >= ?",
            .text(throttle.rawValue), .blob(subject), .integer(seconds), .integer(Int64(limit))
        ).first
        if let end = row?.integer(0) { throw Throttled(seconds: end - seconds) }
    }

    /// Counts an event, unless there have been too many.
    mutating func admit(_ throttle: Throttle, _ subject: [UInt8], limit: Int, at seconds: Int64) throws {
        guard limit > 0 else { return }
        try check(throttle, subject, limit: limit, at: seconds)
        try count(throttle, subject, at: seconds)
    }

    mutating func forget(_ throttle: Throttle, _ subject: [UInt8]) throws(StoreError) {
        try run("DELETE FROM throttle WHERE kind = ? AND subject = ?", .text(throttle.rawValue), .blob(subject))
    }

    /// Drops a few counters whose window is over, so that no request waits for long.
    mutating func dropOldCounters(at seconds: Int64) throws(StoreError) -> Int {
        try run(
            """
            DELETE FROM throttle WHERE (kind, subject) IN (SELECT kind, subject FROM throttle WHERE ends_at <= ? LIMIT 50)
            """, .integer(seconds))
    }
}
