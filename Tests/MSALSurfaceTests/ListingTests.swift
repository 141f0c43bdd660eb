// SPDX-License-Identifier: Apache-2.0

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
        let changes = listing.split(separator: "\n").difference(from: written.split(separator: "\n")).map { change in
            switch change {
            case .insert(_, let line, _): "+ \(line)"
            case .remove(_, let line, _): "- \(line)"
            }
        }
        #expect(changes.isEmpty, "docs/api/\(module).txt is of another time: \(changes). 'make api' writes it anew.")
    }

    @Test(arguments: ["MSAL", "NativeAuth"])
    func everySymbolIsDocumented(_ module: String) async throws {
        let bare = try await SymbolGraph.of(module).symbols.filter { !$0.isDocumented }.map(\.name)
        #expect(bare.isEmpty)
    }
}
