// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A line in front of work that takes a core and much memory: as many run at once as there are cores, some wait, and the
/// rest is turned away at once, since whoever would wait for seconds has given up before it is done.
final class HashQueue: Sendable {
    /// Enough wait already.
    struct Full: Error {}

    private let slots: DispatchSemaphore
    private let count: Int
    private let most: Int
    /// How many run or wait.
    private let present = Atomic<Int>(0)

    init(slots: Int, waiting: Int) {
        count = max(1, slots)
        self.slots = DispatchSemaphore(value: count)
        most = count + max(0, waiting)
    }

    func run<Value>(_ body: () -> Value) throws(Full) -> Value {
        let present = present.wrappingAdd(1, ordering: .relaxed).newValue
        defer { self.present.wrappingSubtract(1, ordering: .relaxed) }
        guard present <= most else { throw Full() }
        slots.wait()
        defer { slots.signal() }
        return body()
    }

    /// How things are at this moment. Those who are about to be turned away are not among it.
    var load: HashLoad {
        let present = min(present.load(ordering: .relaxed), most)
        return HashLoad(slots: count, running: min(present, count), waiting: max(0, present - count))
    }
}

/// Passwords that are hashed, or wait for it.
package struct HashLoad: Sendable, Equatable {
    /// How many run at once.
    package var slots: Int
    package var running: Int
    package var waiting: Int

    package init(slots: Int, running: Int, waiting: Int) {
        self.slots = slots
        self.running = running
        self.waiting = waiting
    }
}
