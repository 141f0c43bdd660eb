// SPDX-License-Identifier: Apache-2.0

import DocumentationTesting
import Foundation
import Testing

/// What apps can see of the libraries, as it is written down in `docs/api`.
///
/// `make api` writes it anew. Look at the difference: each line that goes, or changes, breaks somebody's code.
struct ListingTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/api")

    @Test(arguments: ["MSAL", "NativeAuth"])
    func listingIsWhatTheCompilerSees(_ module: String) async throws {
        let listing = try await SymbolGraph.of(module).listing
        let file = Self.folder.appending(path: "\(module).txt")
        if ProcessInfo.processInfo.environment["NATIVEAUTH_WRITE_API"] != nil {
            try Data(listing.utf8).write(to: file)
        }
        let written = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let changes = written.changes(to: listing)
        #expect(changes.isEmpty, "docs/api/\(module).txt is of another time: \(changes). 'make api' writes it anew.")
    }

    /// The compiler's graph is made without members that it, or another module's protocol, synthesises; what it has of
    /// others' names are overrides and requirements that are written here.
    @Test(arguments: ["MSAL", "NativeAuth"])
    func everySymbolIsDocumented(_ module: String) async throws {
        let bare = try await SymbolGraph.of(module).symbols.filter { !$0.isDocumented }.map(\.name)
        #expect(bare.isEmpty, "without a comment: \(bare)")
    }

    /// What implements a requirement throws what the protocol says.
    @Test(arguments: ["MSAL", "NativeAuth"])
    func everyErrorIsDocumented(_ module: String) async throws {
        let graph = try await SymbolGraph.of(module)
        let throwing = graph.symbols.filter { $0.canThrow && !graph.implementsRequirement($0) }
        #expect(throwing.count > 4)
        let silent = throwing.filter { !$0.saysWhatItThrows }.map(\.name)
        #expect(silent.isEmpty, "throws without '- Throws:' in its comment: \(silent)")
    }
}
