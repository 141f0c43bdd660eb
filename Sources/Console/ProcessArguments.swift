// SPDX-License-Identifier: Apache-2.0

/// The words that the process was started with, as bytes: Swift's strings replace what is no UTF-8.
package enum ProcessArguments {
    /// Each word with its NUL, the program's name first.
    package static var all: [[CChar]] {
        (0..<Int(CommandLine.argc)).map { index in
            guard let word = CommandLine.unsafeArgv[index] else { return [0] }
            var length = 0
            while word[length] != 0 { length += 1 }
            return Array(UnsafeBufferPointer(start: word, count: length + 1))
        }
    }
}
