// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// Where the time comes from, so that a test can move it.
public struct TimeSource: Sendable {
    /// The wall clock.
    public var now: @Sendable () -> Date
    /// Waits; throws when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// A source of one's own.
    ///
    /// - Parameters:
    ///   - now: The wall clock.
    ///   - sleep: Waits, and throws when the task is cancelled.
    public init(now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's clock.
    public static let system = TimeSource(now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}
