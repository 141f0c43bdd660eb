// SPDX-License-Identifier: Apache-2.0

package import Testing

/// Lets only so many test cases run at once: each starts processes of its own, and hundreds of them would make one
/// another slow.
package struct Turns: SuiteTrait, TestTrait, TestScoping {
    private static let gate = Gate(places: 6)

    package var isRecursive: Bool { true }

    @concurrent package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Self.gate.enter()
        do {
            try await function()
            await Self.gate.leave()
        } catch {
            await Self.gate.leave()
            throw error
        }
    }

    /// A door with a queue before it.
    private actor Gate {
        private var places: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(places: Int) {
            self.places = places
        }

        func enter() async {
            if places > 0 {
                places -= 1
            } else {
                await withCheckedContinuation { waiting.append($0) }
            }
        }

        /// Whoever waits longest takes the place over.
        func leave() {
            if waiting.isEmpty {
                places += 1
            } else {
                waiting.removeFirst().resume()
            }
        }
    }
}

extension Trait where Self == Turns {
    /// The test cases take turns with those of the other suites that have this trait.
    package static var inTurns: Turns { Turns() }
}
