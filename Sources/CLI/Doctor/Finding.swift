// SPDX-License-Identifier: Apache-2.0

import Console

/// One thing that was looked at, as `doctor --json` prints it.
struct Finding: Encodable, Sendable {
    /// How much it matters.
    enum Level: String, Encodable, Sendable {
        case ok
        /// Good to know; nothing fails for it.
        case note
        /// Something fails for it, or is not as safe as it should be.
        case problem
    }

    let check: String
    let level: Level
    let message: String
    /// What to do; nil where there is nothing to do.
    let advice: String?

    static func ok(_ check: String, _ message: String) -> Finding {
        Finding(check: check, level: .ok, message: message.printable, advice: nil)
    }

    static func note(_ check: String, _ message: String, _ advice: String? = nil) -> Finding {
        Finding(check: check, level: .note, message: message.printable, advice: advice?.printable)
    }

    static func problem(_ check: String, _ message: String, _ advice: String) -> Finding {
        Finding(check: check, level: .problem, message: message.printable, advice: advice.printable)
    }
}

/// A value that the commands work with, and where it came from.
struct Setting: Encodable, Sendable {
    let name: String
    let value: String
    let source: String

    init(_ name: String, _ value: String, from source: String) {
        self.name = name
        self.value = value.printable
        self.source = source
    }
}
