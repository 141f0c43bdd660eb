// SPDX-License-Identifier: Apache-2.0

/// The words that the process was started with, after its own name.
package struct CommandWords: Sendable {
    /// The words; what is no UTF-8 in them is replaced.
    package let words: [String]
    /// The place of the first word that is no UTF-8 text; nil where all of them are.
    private let firstUnreadable: Int?

    /// The process's own.
    package static var current: CommandWords {
        CommandWords(UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst())
    }

    private init(_ arguments: some Collection<UnsafeMutablePointer<CChar>?>) {
        let pointers = arguments.compactMap { $0 }
        words = pointers.map { String(cString: $0) }
        firstUnreadable = pointers.firstIndex { String(validatingCString: $0) == nil }
    }

    /// The words as they were meant: a path or an address that was repaired would be another one.
    ///
    /// - Parameter passesOn: Whether a command of this name hands its words to another program, as they are.
    package func text(passesOn: (_ command: String) -> Bool = { _ in false }) throws(UsageError) -> [String] {
        guard let index = firstUnreadable, !(words.first.map(passesOn) ?? false) else { return words }
        throw UsageError(command: "", "argument \(index + 1) is not UTF-8 text")
    }
}
