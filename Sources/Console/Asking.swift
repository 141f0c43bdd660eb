// SPDX-License-Identifier: Apache-2.0

internal import CTerminal

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

    /// A question that ends in a mark of its own gets no colon.
    func prompt(_ question: String, hint: String?) -> String {
        let question = question.printable.trimmed
        let mark = question.hasSuffix("?") || question.hasSuffix(":") ? "" : ":"
        guard let hint, !hint.isEmpty else { return question + mark + " " }
        return "\(question) [\(hint.printable)]\(mark) "
    }

    private func readLine(_ prompt: String, preset: String?) throws(PromptError) -> String {
        var line = ""
        let answer = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(NA_ANSWER_MAX)) { buffer in
            let answer =
                isDumb
                ? na_read_plain(descriptor, prompt, buffer.baseAddress, buffer.count)
                : na_read_line(descriptor, type, prompt, preset?.printable, buffer.baseAddress, buffer.count)
            let text = String(validating: buffer.prefix(answer.length), as: UTF8.self)
            line = text ?? ""
            return text == nil ? nil : answer
        }
        guard let answer else { throw .notUTF8 }
        try answer.throwIfNone()
        return try line.singleLine()
    }
}

extension na_answer {
    /// Ends the process where a signal did, and throws where there is no answer.
    func throwIfNone() throws(PromptError) {
        switch outcome {
        case NA_ANSWERED: return
        case NA_ENDED: throw .endOfInput
        case NA_TOO_LONG: throw .tooLong
        case NA_CONTROL: throw .controlCharacters
        case NA_SIGNALLED: na_end_by_signal(detail)
        default: throw .failed(detail)
        }
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
