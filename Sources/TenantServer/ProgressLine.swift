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
        // What cannot be shown is not worth an error.
        try? output.write("\r\u{1B}[K\(verb) \(progress.done)\(Self.share(progress))")
        isThere = true
    }

    private static func share(_ progress: AdminProgress) -> String {
        guard progress.of > 0 else { return "" }
        let filled = min(20, progress.done * 20 / progress.of)
        let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
        return " of \(progress.of) [\(bar)] \(progress.done * 100 / progress.of) %"
    }

    func end() {
        guard isThere else { return }
        try? output.write("\r\u{1B}[K")
        isThere = false
    }
}
