// SPDX-License-Identifier: Apache-2.0

import Console

/// What an error of the protocol means, why it mostly comes, and what to do.
struct Explanation: Sendable, Equatable {
    /// The spellings: a word, or numbers that mean the same.
    let codes: [String]
    let meaning: String
    let cause: String
    let next: String

    init(_ codes: String..., meaning: String, cause: String, next: String) {
        self.codes = codes
        self.meaning = meaning
        self.cause = cause
        self.next = next
    }

    /// Everything that can be explained.
    static var all: [Explanation] { errors + suberrors + numbers + exitCodes }

    /// The explanation of a code as people copy it: `AADSTS50126`, `aadsts50126:`, `50126`, `invalid_grant`.
    static func find(_ text: String) -> Explanation? {
        let code = normalized(text)
        return all.first { $0.codes.contains(code) }
    }

    /// The code that was probably meant. A number with one wrong digit is another number, so none is guessed.
    static func guess(_ text: String) -> String? {
        let code = normalized(text)
        guard Int(code) == nil else { return nil }
        return suggestion(for: code, among: all.flatMap(\.codes).filter { Int($0) == nil })
    }

    private static func normalized(_ text: String) -> String {
        var word = text.lowercased()[...]
        if word.hasPrefix("aadsts") { word = word.dropFirst("aadsts".count) }
        // A number is often copied with the text behind it.
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty, word.dropFirst(digits.count).first.map({ !$0.isLetter && $0 != "_" }) ?? true {
            return String(digits)
        }
        return String(word).replacing("-", with: "_")
    }

    private static var exitCodes: [Explanation] {
        ExitStatus.allCases.map { status in
            Explanation(
                String(status.rawValue), meaning: status.meaning,
                cause: "The command's message on standard error says more; --json has it for programs.",
                next: "See all of them: 'nativeauth help exit-codes'.")
        }
    }
}
