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
        let source = try tutorial.source()
        let blocks = tutorial.blocks.filter { $0.language == "swift" }
        #expect(blocks.count >= 4)
        let missing = blocks.filter { !$0.isIn(source) }.map { $0.lines.joined(separator: "\n") }
        #expect(missing.isEmpty, "not in the file: \(missing)")
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
