// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The token cache as a value, in the schema that the MSAL family shares, so that MSAL for Python, Node and .NET can
/// read it. Entries and members that this program does not know are kept as they are.
struct TokenCache: Sendable, Equatable {
    private var root: [String: JSONValue]

    /// The schema of our own part, under the top-level key `nativeauth`.
    static let schema = 1
    static let sizeLimit = 1024 * 1024

    /// Why bytes are no token cache.
    enum Unreadable: Error, Equatable {
        case corrupt
    }

    init() {
        root = [:]
    }

    init(_ data: Data) throws(Unreadable) {
        guard data.count <= Self.sizeLimit, case .object(let root)? = JSONValue(json: data) else { throw .corrupt }
        let sections = Section.allCases.compactMap { root[$0.rawValue] } + [root["nativeauth"]].compactMap { $0 }
        guard sections.allSatisfy({ $0.object != nil }) else { throw .corrupt }
        self.root = root
    }

    /// The bytes: sorted and indented, with a newline at the end.
    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(JSONValue.object(root)) + Data("\n".utf8)
        } catch {
            // The values were decoded from JSON or are texts and whole numbers, so each of them can be written.
            preconditionFailure("a token cache that is no JSON: \(error)")
        }
    }

    /// The schema of our own part, when a newer program wrote it.
    var newerSchema: Int? {
        root["nativeauth"]?["schema"]?.integer.flatMap { $0 > Self.schema ? Int($0) : nil }
    }

    enum Section: String, CaseIterable {
        case accessToken = "AccessToken"
        case idToken = "IdToken"
        case refreshToken = "RefreshToken"
        case account = "Account"
        case appMetadata = "AppMetadata"
    }

    /// A section's entries; those that are no objects are passed over.
    func entries(_ section: Section) -> [[String: JSONValue]] {
        (root[section.rawValue]?.object ?? [:]).sorted { $0.key < $1.key }.compactMap(\.value.object)
    }

    /// Whether anybody's tokens are in it, of whichever app.
    var holdsTokens: Bool {
        [Section.accessToken, .idToken, .refreshToken].contains { root[$0.rawValue]?.object?.isEmpty == false }
    }

    mutating func put(_ fields: [String: JSONValue], key: String, in section: Section) {
        var entries = root[section.rawValue]?.object ?? [:]
        entries[key] = .object((entries[key]?.object ?? [:]).merging(fields) { $1 })
        root[section.rawValue] = .object(entries)
    }

    mutating func remove(from section: Section, where matches: ([String: JSONValue]) -> Bool) {
        let entries = (root[section.rawValue]?.object ?? [:]).filter { !matches($0.value.object ?? [:]) }
        root[section.rawValue] = .object(entries)
    }

    /// Our own part: never a secret.
    var own: [String: JSONValue] {
        get { root["nativeauth"]?.object ?? [:] }
        set { root["nativeauth"] = .object(newValue) }
    }
}
