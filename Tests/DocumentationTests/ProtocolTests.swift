// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import Foundation
import Testing

/// The page about the protocol, beside the sources that speak it.
@Suite("The page about the protocol")
struct ProtocolTests {
    private let page: Page

    init() throws { page = try Page("docs/protocol.md") }

    /// The Swift files below a folder, as one text.
    private static func sources(_ folder: String) throws -> String {
        let root = Page.root.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
        return try names.filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: root.appending(path: $0), encoding: .utf8)
        }.joined()
    }

    private static func endpoints(in source: String) -> Set<String> {
        Set(source.matches(of: /static let path = "([^"]+)"/).map { String($0.1) })
    }

    /// What the page says in code, outside of drawings.
    private var words: [String] {
        page.text.replacing(/(?s)```mermaid.*?```/, with: "").matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    @Test("names every endpoint, and none that there is not")
    func endpoints() throws {
        let wire = Self.endpoints(in: try Self.sources("Sources/Wire"))
        let all = wire.union(Self.endpoints(in: try Self.sources("Sources/Tenant")))
        #expect(wire.count >= 20)
        let missing = wire.filter { !words.contains($0) }
        #expect(missing.isEmpty, "not in docs/protocol.md: \(missing.sorted())")
        let drawn = page.blocks.filter { $0.language == "mermaid" }.flatMap(\.lines)
        let named = (words + drawn).flatMap { $0.matches(of: #/(?:^| )(/[a-z][a-z0-9._/-]+)/#).map { String($0.1) } }
        let unknown = Set(named).subtracting(all)
        #expect(unknown.isEmpty, "nowhere in the sources: \(unknown.sorted())")
    }

    @Test("names every suberror")
    func suberrors() throws {
        let source = try Self.sources("Sources/Wire")
        let suberrors = source.matches(of: /Suberror\(rawValue: "([a-z_]+)"\)/).map { String($0.1) }
        #expect(suberrors.count >= 16)
        let missing = suberrors.filter { !words.contains($0) }
        #expect(missing.isEmpty, "not in docs/protocol.md: \(missing)")
    }

    @Test("uses no word that neither the protocol nor the tenant's settings know")
    func vocabulary() throws {
        let source = try Self.sources("Sources/Wire") + Self.sources("Sources/Tenant")
        let literals = source.matches(of: /["\/]([a-z]+(?:_[a-z]+)+)"/).map { String($0.1) }
        // The members of calls, answers and settings are written so on the wire.
        let members = source.matches(of: /\b(?:var|case|let|,) ?([a-z]+(?:[A-Z][a-z]*)+)\b/).map { match in
            String(match.1).replacing(/[A-Z]/) { "_" + $0.0.lowercased() }
        }
        let known = Set(literals + members)
        let used = page.text.matches(of: /\b[a-z]+(?:_[a-z]+)+\b/).map { String($0.0) }
        #expect(used.count > 60)
        let unknown = Set(used).subtracting(known)
        #expect(unknown.isEmpty, "nowhere in the sources: \(unknown.sorted())")
    }

    @Test("gives numbers that the tenant gives, and files that there are")
    func numbersAndFiles() throws {
        let source = try Self.sources("Sources/Tenant").replacing("_", with: "")
        let numbers = page.text.matches(of: /\b(?:5\d{4}|[79]\d{5}|50\d{4}|55\d{4}|1\d{6})\b/).map { String($0.0) }
        #expect(numbers.count > 15)
        let unknown = numbers.filter { !source.contains($0) }
        #expect(unknown.isEmpty, "the tenant never gives \(unknown)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: Page.root.appending(path: "Sources").path)
        let files = words.filter { $0.hasSuffix(".swift") }
        #expect(files.count > 15)
        let lost = files.filter { file in
            let place = file.replacing(/^Sources\//, with: "")
            return !names.contains { $0 == place || $0.hasSuffix("/" + place) }
        }
        #expect(lost.isEmpty, "nowhere below Sources: \(lost)")
    }

    @Test("draws sign-up, sign-in and what comes after, and refers to Microsoft's pages")
    func drawings() {
        #expect(page.blocks.filter { $0.language == "mermaid" }.count >= 7)
        #expect(page.links.contains { $0.hasPrefix("https://learn.microsoft.com/entra/identity-platform/reference-") })
    }
}
