// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// `nativeauth token`: never asks, and says nothing but the token.
struct TokenCommand: CLICommand {
    var choice = ProfileChoice()
    var account: String?
    var scopes: [String] = []
    var forceRefresh = false
    var json = false
    var quiet = false

    static let name = "token"
    static let summary = "Print an access token, refreshed if need be"

    static var parameters: [Parameter<TokenCommand>] {
        [
            .account(to: \.account), .scope(to: \.scopes),
            .flag(
                "--force-refresh", to: \.forceRefresh,
                help: "Ask the tenant for a new token even if the cached one is valid."),
            .json(to: \.json), .quiet(to: \.quiet),
        ] + ProfileChoice.rows(within: \.choice)
    }

    static var examples: [Example] {
        [
            Example("curl -H \"Authorization: Bearer $(nativeauth token)\" https://api.example.com/"),
            Example("nativeauth token --scope api://sample/Orders.Read", "A token for an API."),
        ]
    }

    static var discussion: String {
        "Exits with 4, and without asking anything, when nobody is signed in or the session has ended."
    }

    func run(_ context: Context) async throws {
        let (client, profile) = try context.client(choice)
        let account = try await context.signedIn(client, named: account, in: profile)
        let token = try await account.accessToken(scopes: scopes, forceRefresh: forceRefresh)
        guard json else { return try context.output.line(token.value) }
        try context.print(json: TokenObject(token, account, profile, now: context.time.now()))
    }
}

/// What `token --json` prints.
private struct TokenObject: Encodable {
    var schema = 1
    var access_token: String
    var token_type = "Bearer"
    var expires_at: String
    var expires_in: Int
    var scopes: [String]
    var account: AccountObject
    var profile: String
    var source: String
    var refreshed: Bool

    init(_ token: AccessToken, _ account: Account, _ profile: Profile, now: Date) {
        access_token = token.value
        expires_at = token.expiresAt.formatted(.iso8601)
        expires_in = max(0, Int(token.expiresAt.timeIntervalSince(now)))
        scopes = token.scopes
        self.account = AccountObject(account)
        self.profile = profile.name
        source = token.wasRefreshed ? "refresh" : "cache"
        refreshed = token.wasRefreshed
    }
}
