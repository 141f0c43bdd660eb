// SPDX-License-Identifier: Apache-2.0

internal import CTerminal
internal import Glibc

/// The terminal that the process belongs to, wherever its streams go: `$(nativeauth signin --json)` can still ask.
///
/// Only one question is asked at a time. A question blocks its thread; ask on the main thread, where signals arrive.
package final class Terminal: Sendable {
    let descriptor: Int32
    /// The terminal's type, `xterm-256color`; empty if it is not known.
    let type: String
    /// Whether escape sequences may colour what is shown.
    package let usesColor: Bool
    private let requestedColumns: Int?

    /// Opens the controlling terminal; `nil` for a process that has none.
    package static func open(environment: [String: String]) -> Terminal? {
        let descriptor = Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        return descriptor < 0 ? nil : Terminal(descriptor: descriptor, environment: environment)
    }

    private init(descriptor: Int32, environment: [String: String]) {
        self.descriptor = descriptor
        type = environment["TERM"] ?? ""
        usesColor = Terminal.usesColor(environment: environment, isTerminal: true)
        requestedColumns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    deinit {
        close(descriptor)
    }

    /// Whether the terminal can neither move its cursor nor colour, as in an editor's shell window.
    package var isDumb: Bool { type.isEmpty || type == "dumb" }

    /// The width in characters: what COLUMNS says, else what the terminal says, else 80.
    package var columns: Int {
        let measured = Int(na_columns(descriptor))
        return requestedColumns ?? (measured > 0 ? measured : 80)
    }

    /// Shows a text and a line end.
    ///
    /// The text may be styled; what comes from a server is made `printable` before. A terminal that fails here also
    /// fails at the next question, which reports it.
    package func show(_ text: String) {
        try? Output(descriptor: descriptor).line(text)
    }

    /// Whether a stream takes colour: https://no-color.org, https://bixense.com/clicolors.
    package static func usesColor(environment: [String: String], isTerminal: Bool) -> Bool {
        func value(_ name: String) -> String { environment[name] ?? "" }
        if !value("NO_COLOR").isEmpty { return false }
        if !value("CLICOLOR_FORCE").isEmpty, value("CLICOLOR_FORCE") != "0" { return true }
        if !isTerminal || value("CLICOLOR") == "0" { return false }
        return !value("TERM").isEmpty && value("TERM") != "dumb"
    }
}
