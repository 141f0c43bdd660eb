// SPDX-License-Identifier: Apache-2.0

internal import CTerminal
internal import Glibc

/// A stream that says when a write fails. `print` does not: to a full disk or a closed stream it reports success.
package struct Output: Sendable {
    package let descriptor: Int32

    /// The results of a command.
    package static let standardOutput = Output(descriptor: STDOUT_FILENO)
    /// Everything else that is said.
    package static let standardError = Output(descriptor: STDERR_FILENO)

    /// A stream over an open descriptor, which stays the caller's.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes the text, all of it.
    package func write(_ text: String) throws(OutputError) {
        var text = text
        let code = text.withUTF8 { na_write_all(descriptor, $0.baseAddress, $0.count) }
        if code != 0 { throw OutputError(code: code) }
    }

    /// Writes the text and a line end, in one call: lines of several processes do not mix.
    package func line(_ text: String = "") throws(OutputError) {
        try write(text + "\n")
    }
}

/// A write that failed.
package struct OutputError: Error, Equatable, Sendable {
    /// The `errno`.
    package let code: Int32

    /// An error with this `errno`.
    package init(code: Int32) {
        self.code = code
    }

    /// Whether the reader went away, as in `nativeauth claims | head -1`: a reason to end quietly.
    ///
    /// This is seen only where SIGPIPE is ignored.
    package var isBrokenPipe: Bool { code == EPIPE }

    /// The system's words for it.
    package var message: String { systemMessage(code) }
}

/// The system's words for an `errno`.
func systemMessage(_ code: Int32) -> String {
    String(cString: strerror(code))
}
