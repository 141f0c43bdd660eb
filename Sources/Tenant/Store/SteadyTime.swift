// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import Synchronization

/// The tenant's own time, by which codes, flows, sessions and waiting times end: it never goes back, so what has ended stays
/// ended when the machine's clock is set back.
///
/// It is the machine's clock as long as that goes on. Where the clock is behind it, it goes on by the time that has passed.
/// Tokens are dated by the machine's clock all the same: others read them by theirs.
final class SteadyTime: Sendable {
    private struct Reading {
        var seconds: TimeInterval
        /// When it was read, by ``elapsed``.
        var at: TimeInterval
    }

    private let last: Mutex<Reading>
    private let elapsed: @Sendable () -> TimeInterval

    /// - Parameters:
    ///   - latest: The latest time that the tenant has seen before, in seconds since 1970.
    ///   - elapsed: Seconds since some moment, which nobody sets.
    init(latest: Int64, elapsed: @escaping @Sendable () -> TimeInterval) {
        last = Mutex(Reading(seconds: TimeInterval(latest), at: elapsed()))
        self.elapsed = elapsed
    }

    /// Whole seconds since 1970.
    func seconds(at clock: Date) -> Int64 {
        last.withLock { last in
            let now = elapsed()
            last.seconds = max(clock.timeIntervalSince1970, last.seconds + max(0, now - last.at))
            last.at = now
            return Int64(last.seconds)
        }
    }

    /// Seconds since the machine was started, asleep or not.
    static func sinceStart() -> TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }
}

// MARK: - Over a new start

extension Connection {
    /// The latest time that the tenant has seen; 0 for a new one.
    mutating func latestTime() throws(StoreError) -> Int64 {
        try rows("SELECT value FROM setting WHERE name = 'latest_time'").first?.text(0).flatMap { Int64($0) } ?? 0
    }

    /// Keeps it, but not more often than once in so many seconds.
    mutating func keep(latestTime seconds: Int64, every pause: Int64 = 60) throws(StoreError) {
        guard seconds >= (try latestTime()) + pause else { return }
        try run(
            "INSERT INTO setting (name, value) VALUES ('latest_time', ?1) ON CONFLICT (name) DO UPDATE SET value = ?1",
            .text(String(seconds)))
    }
}

extension IdentityProvider {
    /// Seconds since 1970 by the tenant's own time.
    var seconds: Int64 { seconds(at: now()) }

    /// In test mode the clock is the test's, which may set it back.
    func seconds(at time: Date) -> Int64 {
        aids == nil ? steadyTime.seconds(at: time) : Int64(time.timeIntervalSince1970)
    }

    /// Keeps the time for the next start. To be called every minute while the tenant is served, and at the end.
    package func keepTime() throws {
        guard aids == nil else { return }
        let seconds = seconds
        try database.transaction { connection in try connection.keep(latestTime: seconds, every: 1) }
    }
}
