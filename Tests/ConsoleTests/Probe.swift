// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc
import TerminalTesting
import Testing

/// Starts the probe, which asks what its arguments say, on a terminal of its own.
func probe(
    _ requests: String..., environment: [String: String] = ["TERM": "xterm"], ignoring: [Int32] = [],
    capturingOutput: Bool = false, columns: UInt16 = 80
) throws -> TerminalSession {
    try TerminalSession.spawn(
        executable: BuiltProgram.path("prompt-probe"), arguments: requests, environment: environment, directory: "/",
        ignoring: ignoring, columns: columns, capturingOutput: capturingOutput)
}

/// Starts an interactive shell in which `$PROBE` is the probe.
func shell(_ path: String, _ arguments: String...) throws -> TerminalSession {
    let program = try BuiltProgram.path("prompt-probe")
    return try TerminalSession.spawn(
        executable: path, arguments: arguments,
        environment: ["TERM": "xterm", "PROBE": program, "PS1": "ready> ", "PATH": "/usr/bin:/bin", "HISTFILE": ""])
}

extension TerminalSession {
    /// Waits for the end and holds what must be true of every prompt: the terminal is as it was.
    func finishRestored(_ before: TerminalModes, sourceLocation: SourceLocation = #_sourceLocation) throws -> Ending {
        let ending = try finish()
        #expect(modes == before, sourceLocation: sourceLocation)
        let pasteModes = transcript.split(separator: "\u{1B}[?2004").dropFirst()
        #expect(pasteModes.last?.hasPrefix("l") ?? true, "bracketed paste is left on", sourceLocation: sourceLocation)
        return ending
    }
}

/// What is typed and what comes of it; a test's name shows the keys in a readable form.
struct Typed: CustomTestStringConvertible {
    let bytes: [UInt8]
    let outcome: String

    init(_ keys: String, _ outcome: String) {
        self.init(Array(keys.utf8), outcome)
    }

    init(_ bytes: [UInt8], _ outcome: String) {
        self.bytes = bytes
        self.outcome = outcome
    }

    var testDescription: String { String(decoding: bytes.prefix(60), as: UTF8.self).printable }
}

/// The keys that tests press.
enum Key {
    static let interrupt = "\u{3}"
    static let endOfInput = "\u{4}"
    static let stop = "\u{1A}"
    static let quit = "\u{1C}"
    static let backspace = "\u{7F}"
    static let left = "\u{1B}[D"
    static let right = "\u{1B}[C"
    static let up = "\u{1B}[A"
    static let home = "\u{1B}[H"
    static let end = "\u{1B}[F"

    static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }
    static func control(_ letter: Unicode.Scalar) -> String { String(UnicodeScalar(UInt8(letter.value & 0x1F))) }
}
