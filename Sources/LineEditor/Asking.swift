// SPDX-License-Identifier: Apache-2.0

internal import CReadline
internal import CTerminal
package import Console

extension Terminal {
    /// Asks for a line: `Email [ada@example.com]: `. Enter alone takes the default.
    ///
    /// Blanks around the answer are dropped, line ends inside a pasted one become blanks. The preset is a text to start
    /// from, as what was typed before and turned out wrong; a dumb terminal has no use for it.
    package func ask(
        _ question: String, default standard: String? = nil, preset: String? = nil
    ) throws(PromptError) -> String {
        let prompt = prompt(question, hint: standard)
        let line = try readLine(prompt, preset: preset)
        return line.isEmpty ? standard ?? "" : line
    }

    /// Asks for a line by a question that changes while it stands there, as a countdown does; nil once it is
    /// `finally`. Where nothing can move, that is the question from the start.
    package func ask(_ question: @escaping () -> String?, finally last: String) throws(PromptError) -> String {
        let clock = PromptClock { [self] in
            question().map { prompt($0, hint: nil) }
        } last: { [self] in
            prompt(last, hint: nil)
        }
        return try readLine(isDumb ? clock.last() : clock.now() ?? clock.last(), preset: nil, clock: clock)
    }

    /// Asks for yes or no until it is one of them; Enter alone takes the default, if there is one.
    package func confirm(_ question: String, default standard: Bool? = nil) throws(PromptError) -> Bool {
        let hint =
            switch standard {
            case true?: "Y/n"
            case false?: "y/N"
            case nil: "y/n"
            }
        while true {
            let answer = try readLine(prompt(question, hint: hint), preset: nil).lowercased()
            if answer.isEmpty, let standard { return standard }
            if answer == "y" || answer == "yes" { return true }
            if answer == "n" || answer == "no" { return false }
            show("Please answer y or n.")
        }
    }

    private func readLine(
        _ prompt: String, preset: String?, clock: PromptClock? = nil
    ) throws(PromptError) -> String {
        var line = ""
        let answer = withExtendedLifetime(clock) { read(prompt, preset, clock?.callback, into: &line) }
        guard let answer else { throw .notUTF8 }
        try answer.throwIfNone()
        return try line.singleLine()
    }

    /// Nil for an answer that is no text.
    private func read(_ prompt: String, _ preset: String?, _ clock: na_clock?, into line: inout String) -> na_answer? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(NA_ANSWER_MAX)) { buffer in
            let answer =
                isDumb
                ? na_read_plain(descriptor, prompt, buffer.baseAddress, buffer.count)
                : withUnsafePointer(to: clock ?? na_clock()) { place in
                    na_read_line(
                        descriptor, type, prompt, preset?.printable, clock == nil ? nil : place, buffer.baseAddress,
                        buffer.count)
                }
            let text = String(validating: buffer.prefix(answer.length), as: UTF8.self)
            line = text ?? ""
            return text == nil ? nil : answer
        }
    }
}

/// A prompt that changes, for the reader to ask.
private final class PromptClock {
    /// The prompt while it still changes.
    let now: () -> String?
    let last: () -> String

    init(_ now: @escaping () -> String?, last: @escaping () -> String) {
        self.now = now
        self.last = last
    }

    /// Valid while this object lives.
    var callback: na_clock {
        na_clock(
            tell: { context, place, size in
                guard let context, let place else { return false }
                let clock = Unmanaged<PromptClock>.fromOpaque(context).takeUnretainedValue()
                let text = clock.now()
                let bytes = (text ?? clock.last()).utf8.prefix(size - 1)
                for (index, byte) in bytes.enumerated() { place[index] = CChar(bitPattern: byte) }
                place[bytes.count] = 0
                return text != nil
            }, context: Unmanaged.passUnretained(self).toOpaque())
    }
}

extension String {
    /// A bracketed paste brings its line ends into the line.
    fileprivate func singleLine() throws(PromptError) -> String {
        let line = trimmed.split(whereSeparator: \.isNewline).joined(separator: " ")
        if line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw .controlCharacters
        }
        return line
    }
}
