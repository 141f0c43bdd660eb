// SPDX-License-Identifier: Apache-2.0

package import CTerminal

extension Terminal {
    /// A question that ends in a mark of its own gets no colon.
    package func prompt(_ question: String, hint: String?) -> String {
        let question = question.printable.trimmed
        let mark = question.hasSuffix("?") || question.hasSuffix(":") ? "" : ":"
        guard let hint, !hint.isEmpty else { return question + mark + " " }
        return "\(question) [\(hint.printable)]\(mark) "
    }
}

extension na_answer {
    /// Ends the process where a signal did, and throws where there is no answer.
    package func throwIfNone() throws(PromptError) {
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
