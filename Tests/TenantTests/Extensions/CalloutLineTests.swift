// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

@testable import Tenant

/// Who may call an extension.
struct CalloutLineTests {
    private static let start = Date(timeIntervalSince1970: 1_780_000_000)
    private static let registration = CalloutScene.registration(at: "https://hooks.example/")

    private func admit(
        _ line: inout CalloutLine, _ registration: AuthenticationExtension = registration,
        after seconds: TimeInterval = 0
    ) -> CalloutFailure? {
        if case .failure(let failure) = line.admit(registration, at: Self.start + seconds) { failure } else { nil }
    }

    @Test func thirtyTwoCallsAtOnce() {
        var line = CalloutLine(Self.registration)
        for _ in 0..<32 { #expect(admit(&line) == nil) }
        for _ in 0..<3 { #expect(admit(&line) == .throttled) }
        line.end(Self.registration, .go, failed: false, at: Self.start)
        #expect(admit(&line) == nil)
        #expect(admit(&line) == .throttled)
    }

    @Test func failuresCloseTheLine() {
        var line = CalloutLine(Self.registration)
        for _ in 0..<5 {
            #expect(admit(&line) == nil)
            line.end(Self.registration, .go, failed: true, at: Self.start)
        }
        #expect(admit(&line) == .blocked)
        #expect(admit(&line, after: 10) == nil)
        #expect(admit(&line, after: 10) == .blocked)
    }

    /// The calls of the former definition still take places, and no longer count as failures.
    @Test func otherDefinitionBeginsAnew() {
        var line = CalloutLine(Self.registration)
        for _ in 0..<32 { #expect(admit(&line) == nil) }
        var other = Self.registration
        other.targetURL = "https://hooks.example/2"
        #expect(admit(&line, other) == .throttled)
        for _ in 0..<31 { line.end(Self.registration, .go, failed: true, at: Self.start) }
        for _ in 0..<31 { #expect(admit(&line, other) == nil) }
        #expect(admit(&line, other) == .throttled)
    }
}
