// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Synchronization

/// What a tenant in test mode does for those who test against it: codes that are known beforehand, a clock that can be
/// moved, faults on request, and a journal. None of it is there otherwise, and none of it is kept.
package final class TestAids: Sendable {
    private struct State {
        var ahead = Duration.zero
        var faults: [TestFault] = []
        var journal: [JournalEntry] = []
        var count = 0
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: Codes

    /// The code for an address that nobody can have: one below `.test` (RFC 6761, section 6.2), or a telephone number with
    /// the country code 999, which is not given to anyone. Nil for any other.
    func code(for contact: Contact, digits: Int) -> String? {
        switch contact {
        case .email(let address) where address.key.hasSuffix(".test"): break
        case .phone(let number) where number.text.hasPrefix("+999"): break
        default: return nil
        }
        return String("1234567890".prefix(digits))
    }

    // MARK: The clock

    /// The tenant's time, where the machine's is `time`.
    func time(at time: Date) -> Date {
        time.addingTimeInterval(state.withLock { TimeInterval($0.ahead.components.seconds) })
    }

    /// Moves the clock on; it never goes back but to the machine's time.
    func advance(by duration: Duration) {
        state.withLock { $0.ahead += duration }
    }

    func resetClock() {
        state.withLock { $0.ahead = .zero }
    }

    // MARK: Faults

    func add(_ fault: TestFault) {
        state.withLock { $0.faults.append(fault) }
    }

    var faults: [TestFault] { state.withLock { $0.faults } }

    func clearFaults() {
        state.withLock { $0.faults = [] }
    }

    /// What is to happen to a request; each fault counts down, and is gone at its end.
    package func fault(for path: String) -> TestFault.Action? {
        state.withLock { state in
            guard let index = state.faults.firstIndex(where: { $0.concerns(path) }) else { return nil }
            let action = state.faults[index].action
            state.faults[index].times -= 1
            if state.faults[index].times == 0 { state.faults.remove(at: index) }
            return action
        }
    }

    // MARK: The journal

    /// Requests that the journal has.
    private static let kept = 1000

    package func record(_ request: Request, _ answer: Answer?, at time: Date) {
        state.withLock { state in
            state.count += 1
            state.journal.append(JournalEntry(state.count, request, answer, at: time))
            state.journal.removeFirst(max(0, state.journal.count - Self.kept))
        }
    }

    /// The requests after the one of this number, oldest first.
    func journal(after number: Int) -> [JournalEntry] {
        state.withLock { $0.journal.filter { $0.number > number } }
    }
}

/// Something that goes wrong on request.
package struct TestFault: Codable, Sendable, Equatable {
    package enum Action: Codable, Sendable, Equatable {
        /// The answer comes late.
        case delay(milliseconds: Int)
        /// The request is refused with this status, and nothing is done.
        case refuse(status: Int)
        /// The connection is closed, and nothing is done.
        case dropRequest
        /// What was asked for is done, and the connection is closed instead of an answer.
        case dropAnswer
    }

    /// What a path below the tenant's has to end with; `*` for every path.
    package var path: String
    package var action: Action
    /// How many requests meet it.
    package var times: Int

    package init(path: String, action: Action, times: Int) {
        self.path = path
        self.action = action
        self.times = times
    }

    func concerns(_ path: String) -> Bool {
        self.path == "*" || path.hasSuffix(self.path)
    }
}
