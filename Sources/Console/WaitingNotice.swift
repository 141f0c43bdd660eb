// SPDX-License-Identifier: Apache-2.0

internal import CTerminal

/// Says that the program waits, once that takes longer than a moment.
///
/// A terminal shows a line that moves after 300 ms, and leaves nothing of it. Where a line cannot be taken away again,
/// as in a log or for a screen reader, it comes after two seconds, and once.
package final class WaitingNotice: Sendable {
    private let text: String
    private let output: Output
    /// Whether it is a line that goes again.
    package let moves: Bool
    private let delay: Delay

    /// How long a wait goes unsaid where the line goes again, and where it stays.
    package struct Delay: Sendable {
        package let moving: Duration
        package let standing: Duration

        /// For a server that somebody else runs.
        package static let network = Delay(moving: .milliseconds(300), standing: .seconds(2))
        /// For another process on this machine, which is expected to be quick.
        package static let process = Delay(moving: .seconds(1), standing: .seconds(5))
    }

    private static let frame: Duration = .milliseconds(400)

    /// A notice on standard error.
    ///
    /// - Parameter delay: How long the wait goes unsaid.
    package init(_ text: String, environment: [String: String], style: Style, after delay: Delay = .network) {
        self.text = text
        self.delay = delay
        output = .standardError
        moves = output.isTerminal && style.moves(environment, terminal: output.descriptor)
    }

    /// Waits for `body`, and says so if it takes long.
    package func during<Value: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let wait = begin()
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
        await wait.end()
        return try result.get()
    }

    /// A wait that has begun.
    package struct Wait: Sendable {
        fileprivate let telling: Task<Void, Never>

        /// Leaves nothing of what was said; a second end does nothing.
        package func end() async {
            telling.cancel()
            await telling.value
        }
    }

    /// Says so from now on, until the wait is ended.
    package func begin() -> Wait {
        Wait(telling: Task { await tell() })
    }

    private func tell() async {
        do {
            guard moves else {
                try await Task.sleep(for: delay.standing)
                return try output.line(text + ".")
            }
            try await Task.sleep(for: delay.moving)
            defer { na_notice_end() }
            for dots in 0... {
                na_notice_show(output.descriptor, text + String(repeating: ".", count: 1 + dots % 3))
                try await Task.sleep(for: Self.frame)
            }
        } catch {
            // Cancelled: the wait is over.
        }
    }
}
