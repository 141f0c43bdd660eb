// SPDX-License-Identifier: Apache-2.0

/// A piece of a longer text; empty lines separate the pieces.
enum Passage: Equatable {
    /// A paragraph, in one line.
    case prose(String)
    /// Lines that start with a blank stay as they are.
    case verbatim([String])

    /// The pieces of a text.
    static func all(in text: String) -> [Passage] {
        text.split(separator: "\n\n").map { piece in
            piece.hasPrefix(" ")
                ? .verbatim(piece.split(separator: "\n").map(String.init))
                : .prose(String(piece).replacing("\n", with: " "))
        }
    }
}
