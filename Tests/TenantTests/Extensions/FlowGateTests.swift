// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import Testing

@testable import Tenant

/// One request of a flow at a time, a few that wait, and no more.
struct FlowGateTests {
    private let gate = FlowGate()
    private let flow: [UInt8] = [1]

    @Test func oneIsInsideAndOthersHaveTheirOwn() throws {
        #expect(try gate.enter(flow))
        #expect(try gate.enter([2]))
        gate.leave(flow)
        #expect(try gate.enter(flow))
    }

    @Test func whoWaitsIsToldAndSoIsWhoComesTooLate() async throws {
        let gate = gate
        let flow = flow
        #expect(try gate.enter(flow))
        let outcomes = Mutex<[Bool?]>([])
        let done = DispatchGroup()
        for _ in 0..<FlowGate.places + 3 {
            DispatchQueue.global().async(group: done) {
                let outcome = try? gate.enter(flow)
                outcomes.withLock { $0.append(outcome) }
            }
        }
        // Those who find no place are told at once, and so they are the first.
        while outcomes.withLock({ $0.count }) < 3 { await Task.yield() }
        #expect(outcomes.withLock { $0 } == [nil, nil, nil])
        gate.leave(flow)
        await withCheckedContinuation { continuation in done.notify(queue: .global()) { continuation.resume() } }
        #expect(outcomes.withLock { $0.count { $0 == false } } == FlowGate.places)
        #expect(try gate.enter(flow))
    }
}
