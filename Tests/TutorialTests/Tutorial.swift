// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import Foundation
import Testing

/// A tutorial, as its readers see it.
struct Tutorial: CustomTestStringConvertible {
    let name: String
    let blocks: [Page.Block]

    static let names = [
        "add-sign-up", "sign-in-after-sign-up", "sign-in-and-out", "claims-from-an-external-system",
    ]

    /// The folder of the tests' sources. Where they are links, it is the folder of the links.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

    init(_ name: String) throws {
        self.name = name
        blocks = try Page("docs/tutorials/\(name).md").blocks
    }

    var testDescription: String { name }

    /// The tutorial's Swift file: `add-sign-up` is `AddSignUp.swift`.
    func source() throws -> String {
        let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return try String(
            contentsOf: Self.folder.appendingPathComponent(words.joined() + ".swift"), encoding: .utf8)
    }
}
