// SPDX-License-Identifier: Apache-2.0

internal import CTerminal

/// Says that the program waits, once that takes longer than a moment.
///
/// A terminal shows a line that moves after 300 ms, and leaves nothing of it. Where a line cannot be taken away again,
/// as in a log or for a screen reader, it comes after two seconds, and once.
package final class WaitingNotice: Sendable {
    private let text: String
    private let output: Output
    private let moves: Bool

    /// How long a wait goes unsaid where the line goes again, and where it stays.
    package static let delay: (moving: Duration, standing: Duration) = (.milliseconds(300), .seconds(2))
    private static let frame: Duration = .milliseconds(400)

    /// A notice on standard error.
    package init(_ text: String, environment: [String: String], style: Style) {
        self.text = text
        output = .standardError
        moves = output.isTerminal && style.moves(environment, terminal: output.descriptor)
    }

    /// Waits for `body`, and says so if it takes long.
    package func during<Value: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let telling = Task { await tell() }
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await body()) } catch { result = .failure(error) }
        telling.cancel()
        await telling.value
        return try result.get()
    }

    private func tell() async {
        do {
            guard moves else {
                try await Task.sleep(for: Self.delay.standing)
                return try output.line(text + ".")
            }
            try await Task.sleep(for: Self.delay.moving)
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
