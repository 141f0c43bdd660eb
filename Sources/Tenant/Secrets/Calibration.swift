// SPDX-License-Identifier: Apache-2.0

/// How long a guess at a password takes on this machine.
package struct Calibration: Sendable {
    package let cost: PasswordCost
    package let milliseconds: Double

    /// What is worth a try, the cheapest first.
    package static let candidates = [
        PasswordCost.least, PasswordCost(memory: 32 * 1024, passes: 2), PasswordCost(memory: 46 * 1024, passes: 2),
        PasswordCost(memory: 64 * 1024, passes: 2), PasswordCost(memory: 64 * 1024, passes: 3),
        PasswordCost(memory: 128 * 1024, passes: 3),
    ]

    /// Below this, guessing is cheap; above, people wait, and a few of them at once stop the tenant.
    package static let sensible = 10.0...1000.0
    /// What nobody notices at a sign-in.
    static let comfortable = 250.0

    /// The middle one of a few hashes, one at a time; nil when there is no memory for them.
    package static func measure(_ cost: PasswordCost, rounds: Int = 5) throws -> Calibration? {
        let hasher = PasswordHasher(cores: 1, cost: cost)
        let clock = ContinuousClock()
        var times: [Duration] = []
        for _ in 0..<max(1, rounds) {
            let start = clock.now
            guard try hasher.hash(Password("calibration")) != nil else { return nil }
            times.append(clock.now - start)
        }
        let middle = times.sorted()[times.count / 2].components
        return Calibration(
            cost: cost, milliseconds: Double(middle.seconds) * 1e3 + Double(middle.attoseconds) / 1e15)
    }

    /// The costliest one that nobody notices.
    package static func recommended(of measured: [Calibration]) -> Calibration? {
        measured.filter { $0.milliseconds <= comfortable }.max { $0.milliseconds < $1.milliseconds }
    }
}
