// SPDX-License-Identifier: Apache-2.0

import Console
import Dispatch
import Synchronization

/// Writes lines without holding up those who have something to say: a thread of its own writes them. Where nobody takes
/// them in time, later ones are left out, and how many is said.
final class LogWriter: Sendable {
    private struct State {
        var waiting = 0
        var omitted = 0
    }

    private let output: Output
    private let capacity: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "log")

    /// - Parameter capacity: How many lines may wait.
    init(_ output: Output, capacity: Int = 4096) {
        self.output = output
        self.capacity = capacity
    }

    func write(_ line: String) {
        let omitted: Int? = state.withLock { state in
            guard state.waiting < capacity else {
                state.omitted += 1
                return nil
            }
            state.waiting += 1
            defer { state.omitted = 0 }
            return state.omitted
        }
        guard let omitted else { return }
        queue.async { [self] in
            // A log that nobody takes must not end the service.
            if omitted > 0 { try? output.line(#"{"level":"error","omitted_lines":\#(omitted)}"#) }
            try? output.line(line)
            state.withLock { $0.waiting -= 1 }
        }
    }

    /// Waits until everything is written, for no longer than a second.
    func finish() {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + 1)
    }
}
