// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Testing

/// The tenant against a model of the protocol, in sequences of calls that are drawn by chance.
///
/// `swift test` plays the same sequences each time. With `NATIVEAUTH_SOAK` there are many more, and others each time: as
/// many as it says, if it is a number above 1.
struct ModelTests {
    private static let soak = ProcessInfo.processInfo.environment["NATIVEAUTH_SOAK"]
    private static let sequences = soak.map { UInt64($0).flatMap { $0 > 1 ? $0 : nil } ?? 4000 } ?? 25
    private static let steps = 150

    /// Plays on until every line of the table was taken: a line that nobody takes proves nothing.
    @Test("Rule 19: the tenant takes the edges of the model and no other")
    func tenantTakesTheEdgesOfTheModelAndNoOther() throws {
        let first = Self.soak != nil ? UInt64.random(in: 1 ... .max / 2) : 1
        var missed = Set(ModelTable.lines.indices)
        for seed in first..<first + 10 * Self.sequences {
            if seed >= first + Self.sequences, missed.isEmpty { return }
            guard let taken = try play(seed) else { return }
            missed.subtract(taken)
        }
        #expect(missed.sorted().map { "\(ModelTable.lines[$0])" } == [])
    }

    /// Plays one sequence.
    ///
    /// - Returns: The lines that it took; nil after a failure.
    private func play(_ seed: UInt64) throws -> Set<Int>? {
        var player = try ModelPlayer(seed: seed)
        do {
            for _ in 0..<Self.steps { try player.step() }
        } catch {
            let trace = player.world.trace.suffix(15).joined(separator: "\n")
            Issue.record("seed \(seed): \(error)\n\(trace)")
            return nil
        }
        return player.world.taken
    }
}
