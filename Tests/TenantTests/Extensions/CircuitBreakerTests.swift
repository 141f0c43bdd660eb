// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Tenant

struct CircuitBreakerTests {
    private static let start = Date(timeIntervalSince1970: 1_780_000_000)

    /// A breaker whose receiver has failed so often that it is left alone.
    private func opened() -> CircuitBreaker {
        var breaker = CircuitBreaker()
        for _ in 0..<5 { breaker.note(failed: true, of: breaker.admit(at: Self.start), at: Self.start) }
        return breaker
    }

    @Test func opensAfterFiveFailuresInARow() {
        var breaker = CircuitBreaker()
        for _ in 0..<4 { breaker.note(failed: true, of: .go, at: Self.start) }
        #expect(breaker.admit(at: Self.start) == .go)
        breaker.note(failed: false, of: .go, at: Self.start)
        for _ in 0..<4 { breaker.note(failed: true, of: .go, at: Self.start) }
        #expect(breaker.admit(at: Self.start) == .go)
        breaker.note(failed: true, of: .go, at: Self.start)
        #expect(breaker.admit(at: Self.start) == .wait)
    }

    @Test func restsForTenSecondsAndTriesOnce() {
        var breaker = opened()
        #expect(breaker.admit(at: Self.start + 9.9) == .wait)
        #expect(breaker.admit(at: Self.start + 10) == .goAsTrial)
        #expect(breaker.admit(at: Self.start + 10) == .wait)
        #expect(breaker.admit(at: Self.start + 1000) == .wait)
    }

    @Test func trialThatSucceedsClosesIt() {
        var breaker = opened()
        let trial = breaker.admit(at: Self.start + 10)
        breaker.note(failed: false, of: trial, at: Self.start + 10)
        for _ in 0..<4 { breaker.note(failed: true, of: .go, at: Self.start + 10) }
        #expect(breaker.admit(at: Self.start + 10) == .go)
    }

    @Test func trialThatFailsBeginsTheRestAnew() {
        var breaker = opened()
        let trial = breaker.admit(at: Self.start + 10)
        breaker.note(failed: true, of: trial, at: Self.start + 11)
        #expect(breaker.admit(at: Self.start + 20.9) == .wait)
        #expect(breaker.admit(at: Self.start + 21) == .goAsTrial)
    }

    @Test(arguments: [true, false])
    func stragglersDecideNothing(_ failed: Bool) {
        var breaker = opened()
        breaker.note(failed: failed, of: .go, at: Self.start + 1)
        #expect(breaker.admit(at: Self.start + 9) == .wait)
        _ = breaker.admit(at: Self.start + 10)
        breaker.note(failed: failed, of: .go, at: Self.start + 10)
        #expect(breaker.admit(at: Self.start + 10) == .wait)
    }

    @Test func clockThatIsSetBackDoesNotKeepItOpen() {
        var breaker = opened()
        #expect(breaker.admit(at: Self.start - 86400) == .goAsTrial)
    }
}
