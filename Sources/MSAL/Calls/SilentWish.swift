// SPDX-License-Identifier: Apache-2.0

import Foundation
import NativeAuth

/// What an app wants of a session, without a word to the person.
struct SilentWish: Sendable {
    let scopes: [String]
    let claims: ClaimsRequest?
    let forceRefresh: Bool
    let withRefreshToken: Bool
    let flow: Flow

    init(_ parameters: MSALNativeAuthGetAccessTokenParameters, _ flow: Flow) {
        scopes = parameters.scopes ?? []
        claims = parameters.claimsRequest?.request
        forceRefresh = parameters.forceRefresh
        withRefreshToken = parameters.returnRefreshToken
        self.flow = flow
    }

    init(_ parameters: MSALSilentTokenParameters, _ flow: Flow) {
        scopes = parameters.scopes
        claims = parameters.claimsRequest?.request
        forceRefresh = parameters.forceRefresh
        withRefreshToken = false
        self.flow = flow
    }

    /// The tokens, from the cache or by one refresh.
    func fulfilled(_ account: Account) async throws -> SilentTokens {
        let reserved = scopes.filter {
            ["openid", "profile", "offline_access", flow.client.configuration.clientID].contains($0)
        }
        guard reserved.isEmpty else {
            throw AuthError(.invalidScope, message: "\(reserved.joined(separator: " ")) \(Texts.reservedScopes)")
        }
        let access = try await account.accessToken(
            scopes: scopes, claims: claims, forceRefresh: forceRefresh,
            correlationID: UUID(uuidString: flow.correlation.id))
        // A refresh brings new claims as well; unless somebody else has signed in just now.
        let newest = try flow.client.account().flatMap { $0.homeAccountID == account.homeAccountID ? $0 : nil }
        return SilentTokens(
            access: access, refresh: withRefreshToken ? try account.refreshToken() : nil, account: newest ?? account)
    }
}

/// An access token, and what is in the cache beside it.
struct SilentTokens: Sendable {
    let access: AccessToken
    let refresh: String?
    let account: Account
}
