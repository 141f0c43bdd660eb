// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth
import Wire

/// `nativeauth claims`.
struct ClaimsCommand: CLICommand {
    var choice = ProfileChoice()
    var account: String?
    var json = false

    static let name = "claims"
    static let summary = "Show what the tenant says about the account"

    static var parameters: [Parameter<ClaimsCommand>] {
        [.account(to: \.account), .json(to: \.json)] + ProfileChoice.rows(within: \.choice)
    }

    static var discussion: String {
        """
        These are the claims of the ID token in the cache. Its signature was checked when it arrived; nothing is asked \
        over the network now.
        """
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        let account = try await context.signedIn(client, named: account, in: profile)
        var claims = JSONValue(json: account.claims.json)?.object ?? [:]
        if json {
            claims["_meta"] = .object(["signature_checked": .bool(false), "issuer_checked": .bool(false)])
            return try context.print(json: claims)
        }
        let width = claims.keys.map(\.count).max() ?? 0
        for (name, value) in claims.sorted(by: { $0.key < $1.key }) {
            let gap = String(repeating: " ", count: width - name.count + 2)
            try context.output.line(name.printable + gap + Self.text(name, value))
        }
    }

    private static func text(_ name: String, _ value: JSONValue) throws -> String {
        if let text = value.string { return text.printable }
        if let seconds = value.integer, ["exp", "iat", "nbf", "auth_time"].contains(name) {
            return Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
        }
        return String(decoding: try JSONEncoder().encode(value), as: UTF8.self).printable
    }
}
