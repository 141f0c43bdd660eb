// SPDX-License-Identifier: Apache-2.0

import CPattern

/// A regular expression that an owner wrote and a stranger's text is held against, so that matching has a bound: a text for
/// which it would take too long does not match.
struct Pattern: Sendable {
    private let text: String

    /// Nil for what is no regular expression.
    init?(_ text: String) {
        guard text.withLength(na_pattern_is_valid) == 1 else { return nil }
        self.text = text
    }

    /// Whether all of a text matches.
    func matches(_ subject: String) -> Bool {
        text.withLength { pattern, length in
            subject.withLength { na_pattern_matches(pattern, length, $0, $1) }
        } == 1
    }
}

extension String {
    fileprivate func withLength(_ body: (UnsafePointer<CChar>, Int) -> Int32) -> Int32 {
        var copy = self
        return copy.withUTF8 { bytes in
            // An empty text may have no address, and C wants one.
            guard let start = bytes.baseAddress else { return body("", 0) }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { body($0, bytes.count) }
        }
    }
}
