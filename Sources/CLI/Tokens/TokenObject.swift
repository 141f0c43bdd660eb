// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// What `token --json` prints.
struct TokenObject: Encodable {
    var schema = 1
    var access_token: String?
    var id_token: String?
    var token_type = "Bearer"
    var expires_at: String?
    var expires_in: Int?
    var scopes: [String]
    var account: AccountObject?
    var profile: String?
    var source: String
    var refreshed: Bool

    init(_ token: GivenToken, now: Date) {
        if token.isIDToken { id_token = token.value } else { access_token = token.value }
        expires_at = token.expiresAt?.formatted(.iso8601)
        expires_in = token.expiresAt.map { max(0, Int($0.timeIntervalSince(now))) }
        scopes = token.scopes
        account = token.account.map(AccountObject.init)
        profile = token.profile?.name
        source = token.source.rawValue
        refreshed = token.source == .refresh
    }
}
