// SPDX-License-Identifier: Apache-2.0

internal import CTerminal
internal import Glibc

/// The terminal that the process belongs to, wherever its streams go: `$(nativeauth signin --json)` can still ask.
///
/// Only one question is asked at a time. A question blocks its thread; ask on the main thread, where signals arrive.
package final class Terminal: Sendable {
    package let descriptor: Int32
    /// The terminal's type, `xterm-256color`; empty if it is not known.
    package let type: String
    /// Whether escape sequences may colour what is shown.
    package let usesColor: Bool
    /// Whether the person wants lines below each other and nothing else, as a screen reader does.
    private let isPlain: Bool
    private let requestedColumns: Int?

    /// Opens the controlling terminal; `nil` for a process that has none.
    package static func open(environment: [String: String], style: Style = Style()) -> Terminal? {
        let descriptor = Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        return descriptor < 0 ? nil : Terminal(descriptor: descriptor, environment: environment, style: style)
    }

    private init(descriptor: Int32, environment: [String: String], style: Style) {
        self.descriptor = descriptor
        type = environment["TERM"] ?? ""
        isPlain = style.isPlain(environment)
        usesColor = style.usesColor(environment, terminal: descriptor)
        requestedColumns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }

    deinit {
        close(descriptor)
    }

    /// Whether the terminal can neither move its cursor nor colour, as in an editor's shell window, or is not to.
    package var isDumb: Bool { type.isEmpty || type == "dumb" || isPlain }

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

    /// Shows a text about something that went wrong, in red where there are colours.
    package func warn(_ text: String) {
        show(usesColor ? "\u{1B}[31m\(text)\u{1B}[39m" : text)
    }
}
