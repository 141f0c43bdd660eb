// SPDX-License-Identifier: Apache-2.0

import Console
import Glibc

/// Looks at the terminal and the locale.
enum TerminalChecks {
    static func run(environment: [String: String]) -> [Finding] {
        [terminal(environment), locale(environment)].flatMap { $0 }
    }

    private static func terminal(_ environment: [String: String]) -> [Finding] {
        let descriptor = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            return [.note("terminal", "There is no terminal: no command can ask anything here.")]
        }
        defer { close(descriptor) }
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0 else { return [] }
        return [state(of: modes), type(environment["TERM"] ?? "")]
    }

    /// A program that was killed at a password prompt leaves the terminal as it was then.
    private static func state(of modes: termios) -> Finding {
        let flags = [("echo", ECHO), ("icanon", ICANON), ("isig", ISIG)]
        let missing = flags.filter { modes.c_lflag & tcflag_t($0.1) == 0 }.map { "-" + $0.0 }
        if missing.isEmpty { return .ok("terminal", "The terminal is in its usual state.") }
        let what = modes.c_lflag & tcflag_t(ECHO) == 0 ? "does not show what is typed" : "is in an unusual state"
        return .problem(
            "terminal", "The terminal \(what) (\(missing.joined(separator: " "))).", "Type 'stty sane' and Enter.")
    }

    private static func type(_ type: String) -> Finding {
        if type.isEmpty || type == "dumb" {
            return .note("terminal", "TERM is '\(type)': lines cannot be edited, and nothing is coloured.")
        }
        return .ok("terminal", "TERM is '\(type)'.")
    }

    private static func locale(_ environment: [String: String]) -> [Finding] {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let name = names.first { environment[$0]?.isEmpty == false }
        let wanted = name.flatMap { environment[$0] } ?? "C"
        let source = name.map { "\($0)=\(wanted)" } ?? "No locale is set"
        guard setlocale(LC_CTYPE, "") != nil else {
            return [
                .note("locale", "\(source) is not installed here.", "Choose one of 'locale -a', such as C.UTF-8.")
            ]
        }
        let codeset = String(cString: nl_langinfo(Int32(CODESET)))
        if codeset == "UTF-8" { return [.ok("locale", "\(source) has UTF-8.")] }
        return [
            .note(
                "locale", "\(source) has \(codeset). Names are read and shown in UTF-8 all the same.",
                "export LC_ALL=C.UTF-8")
        ]
    }
}
