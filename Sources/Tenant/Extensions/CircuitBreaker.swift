// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Says when a receiver is left alone: after some failures in a row it is not asked for a while, and then once.
struct CircuitBreaker: Sendable, Equatable {
    static let threshold = 5
    static let pause: TimeInterval = 10

    private enum State: Sendable, Equatable {
        case closed(failures: Int)
        case open(since: Date)
        /// One call is under way; what comes of it decides.
        case trial
    }

    /// What a call may do.
    enum Admission: Sendable, Equatable {
        case go
        case goAsTrial
        case wait
    }

    private var state = State.closed(failures: 0)

    mutating func admit(at now: Date) -> Admission {
        switch state {
        case .closed: return .go
        case .trial: return .wait
        case .open(let since):
            // A clock that was set back must not keep the receiver waiting.
            guard now < since || now >= since + Self.pause else { return .wait }
            state = .trial
            return .goAsTrial
        }
    }

    /// Notes what came of a call. One that began before the pause and ends in it changes nothing.
    mutating func note(failed: Bool, of admission: Admission, at now: Date) {
        switch (state, admission) {
        case (.closed(let failures), .go):
            let count = failed ? failures + 1 : 0
            state = count < Self.threshold ? .closed(failures: count) : .open(since: now)
        case (.trial, .goAsTrial):
            state = failed ? .open(since: now) : .closed(failures: 0)
        default: break
        }
    }
}
