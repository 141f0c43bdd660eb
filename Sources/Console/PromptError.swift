// SPDX-License-Identifier: Apache-2.0

/// Why a question has no answer.
///
/// A signal is no case: it puts the terminal back and ends the process, as its sender expects.
package enum PromptError: Error, Equatable, Sendable {
    /// Ctrl-D on an empty line, or a terminal that is gone.
    case endOfInput
    case tooLong
    case controlCharacters
    case notUTF8
    /// Two entries of a new secret that differed, three times.
    case mismatch
    /// The `errno` of the terminal.
    case failed(Int32)

    /// Whether asking the same question again makes sense.
    package var isWorthAskingAgain: Bool {
        switch self {
        case .tooLong, .controlCharacters, .notUTF8: true
        case .endOfInput, .mismatch, .failed: false
        }
    }

    /// A sentence for people.
    package var message: String {
        switch self {
        case .endOfInput: "The input ended."
        case .tooLong: "That is longer than 4096 bytes."
        case .controlCharacters: "That contains control characters."
        case .notUTF8: "That is not UTF-8 text."
        case .mismatch: "The two entries differed three times."
        case .failed(let code): "The terminal failed: \(systemMessage(code))."
        }
    }
}
