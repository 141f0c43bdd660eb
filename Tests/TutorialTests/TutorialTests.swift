// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProgramTesting
import Testing

@Suite("The tutorials", .inTurns)
@MainActor
struct TutorialTests {
    @Test("each block of Swift is in the tutorial's file", arguments: Tutorial.names)
    func blocks(name: String) throws {
        let tutorial = try Tutorial(name)
        let source = Self.bare(try tutorial.source())
        let blocks = tutorial.blocks.filter { $0.language == "swift" }
        #expect(blocks.count >= 4)
        for block in blocks {
            let text = Self.bare(block.lines.joined(separator: "\n"))
            #expect(!text.isEmpty && source.contains(text), "\(block.lines.joined(separator: "\n"))")
        }
    }

    /// Lines without their indentation; without `@main`, too, since a bundle of tests has a main of its own.
    private static func bare(_ text: String) -> String {
        let lines = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.filter { $0 != "@main" }.joined(separator: "\n")
    }

    @Test("what the tutorials link to is there", arguments: Tutorial.names)
    func links(name: String) throws {
        let tutorial = try Tutorial(name)
        let targets = tutorial.text.components(separatedBy: "](").dropFirst().map { $0.prefix { $0 != ")" } }
        #expect(!targets.isEmpty)
        for target in targets {
            let parts = target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
            let file = parts[0].isEmpty ? "\(name).md" : parts[0]
            let place = Tutorial.root.appendingPathComponent("docs/tutorials/\(file)")
            let text = try String(contentsOf: place, encoding: .utf8)
            #expect(parts.count == 1 || Self.headings(text).contains(parts[1]), "\(target)")
        }
    }

    /// The headings, as links name them.
    private static func headings(_ text: String) -> [String] {
        text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }.map { line in
            let words = line.drop { $0 == "#" || $0 == " " }.lowercased()
            return words.replacingOccurrences(of: " ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" }
        }
    }

    @Test("both language modes have the same sources")
    func sources() throws {
        let tests = Tutorial.root.appendingPathComponent("Tests")
        let names = try ["TutorialTests", "TutorialSwift5Tests"].map {
            try FileManager.default.contentsOfDirectory(atPath: tests.appendingPathComponent($0).path).sorted()
        }
        #expect(names[0] == names[1])
    }

    @Test("the manifest names what this package has")
    func manifest() throws {
        let own = try String(contentsOf: Tutorial.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let manifest = try #require(try Tutorial("add-sign-up").blocks.first { $0.language == "swift manifest" })
        let text = manifest.lines.joined(separator: "\n")
        #expect(text.contains(#".product(name: "MSAL", package: "nativeauth")"#))
        #expect(own.contains(#"name: "nativeauth""#) && own.contains(#".library(name: "MSAL""#))
    }

    @Test("add sign-up")
    func addSignUp() async throws {
        let reader = Reader(try Home()) { try await AddSignUp.main() }
        try await reader.read(try Tutorial("add-sign-up"))
        #expect(reader.counts.programs >= 8)
    }

    @Test("sign in after sign-up")
    func signInAfterSignUp() async throws {
        let reader = Reader(try Home()) { try await SignInAfterSignUp.main() }
        try await reader.read(try Tutorial("sign-in-after-sign-up"))
        #expect(reader.counts.programs >= 1)
    }

    @Test("sign in and out")
    func signInAndOut() async throws {
        let reader = Reader(try Home()) { try await SignInAndOut.main() }
        try await reader.read(try Tutorial("sign-in-and-out"))
        #expect(reader.counts.programs >= 10)
    }

    @Test("claims from an external system")
    func claims() async throws {
        let system = try ShopSystem()
        let reader = Reader(try Home(), replacing: [("http://127.0.0.1:9099/", system.url)]) {
            try await ClaimsFromAnExternalSystem.main()
            system.goOn()
        }
        try await reader.read(try Tutorial("claims-from-an-external-system"))
        #expect(reader.counts.programs == 3)
    }
}
