// SPDX-License-Identifier: Apache-2.0

import Synchronization

// The tutorials' programs talk to a terminal and to a command line. In this module the test is both: these names come
// before those of the standard library.

func print(_ text: String, terminator: String = "\n") {
    Terminal.current?.show(text + terminator)
}

func readLine() -> String? {
    Terminal.current?.answer()
}

enum CommandLine {
    static var arguments: [String] { Terminal.current?.arguments ?? [] }
}

/// A person at a terminal who follows a transcript: reads what it says, and types what it has been answered with.
final class Terminal: Sendable {
    @TaskLocal static var current: Terminal?

    let arguments: [String]
    private let readCode: @Sendable () -> String?
    private let state: Mutex<State>

    private struct State {
        var lines: ArraySlice<String>
        var shown = ""
        var whole = ""
        var problem: String?
    }

    /// - Parameters:
    ///   - transcript: What is to be shown and typed. `…` stands for any text, eight digits for the code in the mail.
    ///   - readCode: Looks for the newest code in the mail.
    init(arguments: [String], transcript: [String], readCode: @escaping @Sendable () -> String?) {
        self.arguments = arguments
        self.readCode = readCode
        state = Mutex(State(lines: transcript[...]))
    }

    /// What is wrong with what was shown so far, with the whole of it; nil if it is as in the transcript.
    var problem: String? {
        state.withLock { state in
            let problem = state.problem ?? state.lines.first.map { "nothing more came, not even '\($0)'" }
            return problem.map { "\($0)\n--- shown ---\n\(state.whole)" }
        }
    }

    func show(_ text: String) {
        state.withLock { state in
            state.whole += text
            state.shown += text
            while let end = state.shown.firstIndex(of: "\n") {
                let line = String(state.shown[..<end])
                state.shown = String(state.shown[state.shown.index(after: end)...])
                guard state.problem == nil else { continue }
                guard let wanted = state.lines.popFirst(), Pattern(wanted).matches(line) else {
                    state.problem = "this line is not in the transcript: '\(line)'"
                    continue
                }
            }
        }
    }

    /// The answer to the question that is on the screen; nil where the transcript has another question.
    func answer() -> String? {
        let typed = state.withLock { state -> String? in
            let question = state.shown
            state.shown = ""
            let isWanted = state.lines.first.map { ($0 + " ").hasPrefix(question) } ?? false
            guard state.problem == nil, isWanted, let line = state.lines.popFirst() else {
                state.problem = state.problem ?? "this question is not in the transcript: '\(question)'"
                return nil
            }
            return String(line.dropFirst(question.count))
        }
        let answer = typed.flatMap { Self.isCode($0) ? readCode() : $0 }
        state.withLock { $0.whole += (answer ?? "^D") + "\n" }
        return answer
    }

    /// Eight digits, but for those that stand for a wrong code.
    private static func isCode(_ text: String) -> Bool {
        text.count == 8 && text.allSatisfy(\.isNumber) && text != "00000000"
    }
}

/// A line of a transcript, in which `…` stands for any text.
struct Pattern {
    private let parts: [Substring]

    init(_ line: String) { parts = line.split(separator: "…", omittingEmptySubsequences: false) }

    func matches(_ text: String) -> Bool {
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
        guard parts.count > 1 else { return text == first }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let place = rest.firstRange(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
