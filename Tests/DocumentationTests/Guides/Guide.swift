// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import Foundation

/// The commands of a page, in the order in which a reader meets them.
struct Guide {
    /// Commands that belong together.
    struct Block {
        /// Lines of a script, or of a conversation, in which `$` precedes a command and what it shows comes below.
        enum Kind { case script, conversation }

        let kind: Kind
        var lines: [String]
        /// Why no test runs it, as a comment in the page says.
        let reason: String?
    }

    let place: String
    let blocks: [Block]

    init(_ place: String) throws {
        self.place = place
        blocks = Self.blocks(try Page(place).text)
    }

    private static func blocks(_ text: String) -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        var fence = ""
        var reason: String?
        for line in text.components(separatedBy: "\n") {
            if var block = open {
                let isOver = fence.isEmpty ? !line.hasPrefix(indentation) : line == fence
                if isOver {
                    blocks.append(block)
                    (open, reason) = (nil, nil)
                } else {
                    block.lines.append(fence.isEmpty ? String(line.dropFirst(indentation.count)) : line)
                    open = block
                }
            } else if let match = line.wholeMatch(of: /(```+)(.*)/) {
                fence = String(match.1)
                open = Block(kind: match.2 == "sh" ? .script : .conversation, lines: [], reason: reason)
                if !["sh", "console"].contains(match.2) { open = Block(kind: .script, lines: [], reason: notCommands) }
            } else if line.hasPrefix(indentation + "$ ") {
                fence = ""
                open = Block(kind: .conversation, lines: [String(line.dropFirst(indentation.count))], reason: reason)
            } else if let match = line.wholeMatch(of: /<!-- not run: (.+) -->/) {
                reason = String(match.1)
            } else if !line.isEmpty {
                reason = nil
            }
        }
        return blocks.filter { $0.reason != notCommands }
    }

    private static let indentation = "    "
    /// Blocks of another language.
    private static let notCommands = "no commands"

    /// The pages that have commands. The tutorials' are run where the tutorials are; references list, and tell nothing.
    static var places: [String] {
        get throws {
            let guides = try Page.places.filter { !$0.hasPrefix("docs/tutorials/") && !$0.hasSuffix("commands.md") }
            return try guides.filter { try Guide($0).blocks.isEmpty == false }
        }
    }
}
