// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Says on a terminal how far long work has come, in one line that is gone at the end. A stream that is no terminal hears
/// nothing.
final class ProgressLine {
    private let verb: String
    private let output: Output
    private let isShown: Bool
    private var isThere = false

    init(_ verb: String, _ context: TenantContext) {
        self.verb = verb
        output = context.errors
        isShown = output.isTerminal && Style().moves(context.environment, terminal: output.descriptor)
    }

    func show(_ progress: AdminProgress) {
        guard isShown else { return }
        let share = progress.of > 0 ? " of \(progress.of) (\(progress.done * 100 / progress.of) %)" : ""
        // What cannot be shown is not worth an error.
        try? output.write("\r\u{1B}[K\(verb) \(progress.done)\(share)")
        isThere = true
    }

    func end() {
        guard isThere else { return }
        try? output.write("\r\u{1B}[K")
        isThere = false
    }
}
