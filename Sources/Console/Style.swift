// SPDX-License-Identifier: Apache-2.0

internal import CTerminal

/// How a person wants to be talked to, as far as the command line says.
package struct Style: Equatable, Sendable {
    /// Whether and when there is colour.
    package enum Color: String, CaseIterable, Sendable {
        case auto, always, never
    }

    /// Lines below each other, no colour, nothing that moves: for screen readers and for logs.
    package var plain = false
    package var color = Color.auto

    package init() {}

    /// Whether to write plainly: by the flag, or by ACCESSIBLE, which screen reader users set for all programs.
    package func isPlain(_ environment: [String: String]) -> Bool {
        plain || environment["ACCESSIBLE"].map { !$0.isEmpty && $0 != "0" } ?? false
    }

    /// Whether to colour what goes to a terminal, or to any stream: the flag first, then https://no-color.org and
    /// https://bixense.com/clicolors, then what the terminal can do.
    ///
    /// - Parameter terminal: Its descriptor; nil for a stream that is none.
    package func usesColor(_ environment: [String: String], terminal: Int32?) -> Bool {
        func value(_ name: String) -> String { environment[name] ?? "" }
        switch color {
        case .always: return true
        case .never: return false
        case .auto: break
        }
        if isPlain(environment) || !value("NO_COLOR").isEmpty { return false }
        if !value("CLICOLOR_FORCE").isEmpty, value("CLICOLOR_FORCE") != "0" { return true }
        guard let terminal, value("CLICOLOR") != "0" else { return false }
        return na_abilities(terminal, value("TERM")) & Int32(NA_COLORS) != 0
    }

    /// Whether a line on a terminal may change while it stands there.
    package func moves(_ environment: [String: String], terminal: Int32) -> Bool {
        let type = environment["TERM"] ?? ""
        return !isPlain(environment) && !type.isEmpty
            && na_abilities(terminal, type) & Int32(NA_ERASES) != 0
    }
}
