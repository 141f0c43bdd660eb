// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What is remembered of an extension between its calls.
struct CalloutLine: Sendable {
    /// Calls that run at once; one more fails at once instead of waiting.
    static let simultaneousCalls = 32
    /// Connections that are kept for later.
    private static let idleConnections = 8

    private var registration: AuthenticationExtension
    private var breaker = CircuitBreaker()
    private var running = 0
    private var idle: [CalloutConnection] = []

    init(_ registration: AuthenticationExtension) {
        self.registration = registration
    }

    /// Takes a place for a call.
    mutating func admit(
        _ registration: AuthenticationExtension, at now: Date
    ) -> Result<CircuitBreaker.Admission, CalloutFailure> {
        // A definition that has changed deserves a fresh start, and none of the old one's connections.
        if registration != self.registration {
            self.registration = registration
            breaker = CircuitBreaker()
            idle = []
        }
        guard running < Self.simultaneousCalls else { return .failure(.throttled) }
        let admission = breaker.admit(at: now)
        guard admission != .wait else { return .failure(.blocked) }
        running += 1
        return .success(admission)
    }

    /// Gives the place back.
    mutating func end(
        _ registration: AuthenticationExtension, _ admission: CircuitBreaker.Admission, failed: Bool, at now: Date
    ) {
        running -= 1
        guard registration == self.registration else { return }
        breaker.note(failed: failed, of: admission, at: now)
    }

    mutating func takeIdle(for registration: AuthenticationExtension) -> CalloutConnection? {
        registration == self.registration ? idle.popLast() : nil
    }

    mutating func keep(_ connection: CalloutConnection, for registration: AuthenticationExtension) {
        if registration == self.registration, idle.count < Self.idleConnections { idle.append(connection) }
    }
}
