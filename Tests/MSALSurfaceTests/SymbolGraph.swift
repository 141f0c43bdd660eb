// SPDX-License-Identifier: Apache-2.0

import Foundation
import TerminalTesting
import Testing

/// The public symbols of a built module, as the compiler knows them.
struct SymbolGraph: Decodable {
    let symbols: [Symbol]
    let relationships: [Relationship]

    struct Symbol: Decodable {
        let identifier: Identifier
        let pathComponents: [String]
        let kind: Kind
        let declarationFragments: [Fragment]?
        let docComment: Comment?
        let availability: [Availability]?
    }

    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    struct Fragment: Decodable { let spelling: String }
    struct Comment: Decodable { let lines: [Line] }
    struct Line: Decodable { let text: String }
    struct Availability: Decodable { let isUnconditionallyDeprecated: Bool? }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }

    /// Reads the module out of the folder that the tests were built in.
    static func of(_ module: String) async throws -> SymbolGraph {
        let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let built = String(try BuiltProgram.path("nativeauth").dropLast("nativeauth".count))
        let run = Run(
            "/usr/bin/env",
            [
                "swift-symbolgraph-extract", "-module-name", module, "-I", built + "Modules", "-target", triple,
                "-output-dir", folder.path, "-minimum-access-level", "public", "-skip-synthesized-members",
            ]
                + ["CCurl", "CFiles", "CKeyring", "COpenSSL", "CSecretService"].flatMap {
                    ["-Xcc", "-fmodule-map-file=\(built)\($0).build/module.modulemap"]
                },
            environment: ProcessInfo.processInfo.environment)
        let outcome = try await run()
        try #require(outcome.ending == .exit(0), "\(outcome)")
        let json = try Data(contentsOf: folder.appending(path: "\(module).symbols.json"))
        return try JSONDecoder().decode(SymbolGraph.self, from: json)
    }

    private static var triple: String {
        #if arch(arm64)
            "aarch64-unknown-linux-gnu"
        #else
            "x86_64-unknown-linux-gnu"
        #endif
    }
}

// MARK: - Requirements

extension SymbolGraph {
    /// Whether a protocol of the module demands the member of the type that has it.
    func implementsRequirement(_ symbol: Symbol) -> Bool {
        let types = relationships.filter { $0.kind == "memberOf" && $0.source == symbol.identifier.precise }
        let protocols = relationships.filter { relation in
            relation.kind == "conformsTo" && types.contains { $0.target == relation.source }
        }
        let requirements = relationships.filter { relation in
            relation.kind == "requirementOf" && protocols.contains { $0.target == relation.target }
        }
        return requirements.contains { requirement in
            symbols.contains {
                $0.identifier.precise == requirement.source && $0.pathComponents.last == symbol.pathComponents.last
            }
        }
    }
}

// MARK: - The listing

extension SymbolGraph {
    /// One line for each symbol: its declaration, below its type's, with what that inherits and conforms to.
    var listing: String {
        symbols.sorted { $0.pathComponents.lexicographicallyPrecedes($1.pathComponents) || isSame($0, $1) }
            .map(line).joined(separator: "\n") + "\n"
    }

    private func isSame(_ left: Symbol, _ right: Symbol) -> Bool {
        left.pathComponents == right.pathComponents && left.declaration < right.declaration
    }

    private func line(_ symbol: Symbol) -> String {
        let indent = String(repeating: "    ", count: symbol.pathComponents.count - 1)
        let parents = parents(of: symbol)
        let list = parents.isEmpty ? "" : ": " + parents.joined(separator: ", ")
        return indent + symbol.declaration + list + (symbol.isDeprecated ? "  // deprecated" : "")
    }

    /// What a class inherits from comes first. A protocol says so in its declaration.
    private func parents(of symbol: Symbol) -> [String] {
        guard !symbol.declaration.hasPrefix("protocol") else { return [] }
        let own = relationships.filter { $0.source == symbol.identifier.precise }
        let conformances = names(own.filter { $0.kind == "conformsTo" }).filter { !Self.unsaid.contains($0) }
        return names(own.filter { $0.kind == "inheritsFrom" }) + conformances.sorted()
    }

    /// What every class here is, or every type.
    private static let unsaid: Set = [
        "Copyable", "Escapable", "SendableMetatype", "CVarArg", "CustomDebugStringConvertible",
        "CustomStringConvertible", "Equatable", "Hashable", "NSObjectProtocol",
    ]

    private func names(_ relationships: [Relationship]) -> [String] {
        relationships.compactMap { relation in
            let known = symbols.first { $0.identifier.precise == relation.target }?.name
            return known ?? relation.targetFallback?.split(separator: ".").last.map(String.init)
        }
    }
}

extension SymbolGraph.Symbol {
    fileprivate var declaration: String {
        (declarationFragments ?? []).map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }

    var isDeprecated: Bool { availability?.contains { $0.isUnconditionallyDeprecated == true } ?? false }
    var name: String { pathComponents.joined(separator: ".") }
    /// Whether the call itself throws, and not only a closure that it takes.
    var canThrow: Bool {
        var depth = 0
        for fragment in declarationFragments ?? [] {
            if depth == 0, fragment.spelling == "throws" { return isCall }
            depth += fragment.spelling.count { $0 == "(" } - fragment.spelling.count { $0 == ")" }
        }
        return false
    }

    private var isCall: Bool { ["method", "init", "func"].contains { kind.identifier.hasSuffix($0) } }
    var saysWhatItThrows: Bool { docComment?.lines.contains { $0.text.hasPrefix("- Throws:") } ?? false }
    var isDocumented: Bool { docComment?.lines.contains { !$0.text.isEmpty } ?? false }
}
