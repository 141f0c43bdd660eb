// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A page in Markdown, as its readers see it.
package struct Page: Sendable {
    /// A block of code.
    package struct Block: Sendable {
        package let language: String
        package let lines: [String]

        /// Whether a file has these lines, however they are indented there; `@main` does not count, since a bundle of
        /// tests has a main of its own.
        package func isIn(_ source: String) -> Bool {
            let text = Self.bare(lines)
            return !text.isEmpty && Self.bare(source.components(separatedBy: "\n")).contains(text)
        }

        private static func bare(_ lines: [String]) -> String {
            let lines = lines.map { $0.trimmingCharacters(in: .whitespaces) }
            return lines.filter { $0 != "@main" }.joined(separator: "\n")
        }
    }

    /// The folder that all places begin at: the top of the tree.
    package static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL

    /// Where the page is: `docs/overview.md`.
    package let place: String
    package let text: String
    package let blocks: [Block]
    /// The lines that are not in blocks.
    let prose: [String]

    /// Reads a page.
    package init(_ place: String) throws {
        self.place = place
        text = try String(contentsOf: Self.root.appending(path: place), encoding: .utf8)
        (blocks, prose) = Self.parts(of: text)
    }

    private static func parts(of text: String) -> ([Block], [String]) {
        var blocks: [Block] = []
        var prose: [String] = []
        var open: (fence: String, language: String, lines: [String])?
        for line in text.components(separatedBy: "\n") {
            if let block = open {
                if line == block.fence {
                    blocks.append(Block(language: block.language, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                let fence = String(line.prefix { $0 == "`" })
                open = (fence, String(line.dropFirst(fence.count)), [])
            } else {
                prose.append(line)
            }
        }
        return (blocks, prose)
    }
}
