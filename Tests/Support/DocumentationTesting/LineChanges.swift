// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The lines by which a text differs from a newer one: `- ` before those that go, `+ ` before those that come.
    package func changes(to newer: String) -> [String] {
        newer.lines.difference(from: lines).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
    }

    private var lines: [Substring] { split(separator: "\n", omittingEmptySubsequences: false) }
}
