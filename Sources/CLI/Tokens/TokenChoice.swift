// SPDX-License-Identifier: Apache-2.0

import Console

/// What the command line says about the token that is meant.
struct TokenChoice {
    var profile = ProfileChoice()
    var account: String?
    var scopes: [String] = []
    var idToken = false
    var forceRefresh = false
    var minimumValidity: Duration?

    static func rows<Root>(within path: WritableKeyPath<Root, TokenChoice>) -> [Parameter<Root>] {
        let rows: [Parameter<TokenChoice>] = [
            .account(to: \.account), .scope(to: \.scopes),
            .flag(
                "--id-token", to: \.idToken, help: "The ID token, which says who the person is, for what wants that."),
            .flag(
                "--force-refresh", to: \.forceRefresh,
                help: "Ask the tenant for a new token even if the cached one is valid."),
            .option(
                "--min-validity", value: "TIME", to: \.minimumValidity,
                help: "How long a cached token has to be good for, as 10m or 1h; 5m by default."),
        ]
        return rows.within(path)
    }

    /// The rows that say which tenant is meant; they come last in a help text.
    static func tenantRows<Root>(within path: WritableKeyPath<Root, TokenChoice>) -> [Parameter<Root>] {
        ProfileChoice.rows(within: path.appending(path: \.profile))
    }

    /// As in Microsoft's SDKs.
    var validity: Duration { minimumValidity ?? .seconds(300) }

    /// Whether nothing is said that a token from elsewhere could be against: a flag comes before a variable.
    var takesAnyToken: Bool {
        account == nil && scopes.isEmpty && !idToken && !forceRefresh && profile.namesNothing
    }
}
