// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import Foundation
import Testing

@Suite("The articles of the libraries")
struct ArticleTests {
    /// Each page of the catalogs, and the file that its code is in.
    private static let pages = [
        ("NativeAuth/NativeAuth.docc/NativeAuth", "SigningUp"), ("NativeAuth/NativeAuth.docc/SigningUp", "SigningUp"),
        ("NativeAuth/NativeAuth.docc/SigningIn", "SigningIn"),
        ("NativeAuth/NativeAuth.docc/TokensAndClaims", "TokensAndClaims"),
        ("NativeAuth/NativeAuth.docc/ActingOnErrors", "ActingOnErrors"),
        ("NativeAuth/NativeAuth.docc/LocalTenant", "LocalTenant"), ("MSAL/MSAL.docc/MSAL", "MovingCode"),
        ("MSAL/MSAL.docc/MovingCode", "MovingCode"),
        ("MSAL/MSAL.docc/DelegatesAndTheMainActor", "DelegatesAndTheMainActor"),
    ]

    @Test("have code that is compiled", arguments: pages)
    func blocks(row: (page: String, file: String)) throws {
        let place = Page.root.appending(path: "Tests/DocumentationTests/Articles/\(row.file).swift")
        let source = try String(contentsOf: place, encoding: .utf8)
        let blocks = try Page("Sources/\(row.page).md").blocks.filter { $0.language == "swift" }
        #expect(!blocks.isEmpty)
        let missing = blocks.filter { !$0.isIn(source) }.map { $0.lines.joined(separator: "\n") }
        #expect(missing.isEmpty, "not in the file: \(missing)")
    }

    @Test("are all looked at", arguments: ["NativeAuth", "MSAL"])
    func catalogs(module: String) throws {
        let folder = Page.root.appending(path: "Sources/\(module)/\(module).docc")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let known = Self.pages.map(\.0).filter { $0.hasPrefix(module + "/") }
        #expect(names == known.map { ($0 as NSString).lastPathComponent + ".md" }.sorted())
    }

    @Test("each public name is under a heading of its module's page, once", arguments: ["NativeAuth", "MSAL"])
    func topics(module: String) throws {
        let page = try Page("Sources/\(module)/\(module).docc/\(module).md")
        let listed = page.text.split(separator: "\n").compactMap { $0.wholeMatch(of: /- ``(\w+)``/)?.1 }.map(
            String.init)
        let listing = try String(contentsOf: Page.root.appending(path: "docs/api/\(module).txt"), encoding: .utf8)
        let names = listing.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^(?:final )?(?:struct|class|enum|protocol|typealias|let|func) (\w+)/).map {
                String($0.1)
            }
        }
        #expect(names.count > 50)
        #expect(listed.sorted() == Set(names).sorted())
    }
}
