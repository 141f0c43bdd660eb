// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A tutorial, as its readers see it.
struct Tutorial: CustomTestStringConvertible {
    /// A block of code.
    struct Block {
        let language: String
        let lines: [String]
    }

    let name: String
    let text: String
    let blocks: [Block]

    static let names = [
        "add-sign-up", "sign-in-after-sign-up", "sign-in-and-out", "claims-from-an-external-system",
    ]

    /// The folder of the tests' sources. Where they are links, it is the folder of the links.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

    init(_ name: String) throws {
        self.name = name
        let place = Self.root.appendingPathComponent("docs/tutorials/\(name).md")
        text = try String(contentsOf: place, encoding: .utf8)
        blocks = Self.blocks(text)
    }

    var testDescription: String { name }

    /// Each block with its language; blocks in other blocks do not occur.
    private static func blocks(_ text: String) -> [Block] {
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in text.components(separatedBy: "\n") {
            if let block = open {
                if line == "```" {
                    blocks.append(Block(language: block.language, lines: block.lines))
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = (String(line.dropFirst(3)), [])
            }
        }
        return blocks
    }

    /// The tutorial's Swift file: `add-sign-up` is `AddSignUp.swift`.
    func source() throws -> String {
        let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return try String(
            contentsOf: Self.folder.appendingPathComponent(words.joined() + ".swift"), encoding: .utf8)
    }
}
