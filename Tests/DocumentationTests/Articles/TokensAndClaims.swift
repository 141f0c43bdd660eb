// SPDX-License-Identifier: Apache-2.0

import Foundation
import NativeAuth

// The code of the article "Tokens, claims and signing out".

func client(_ configuration: Configuration, keepingTokensIn folder: String) -> NativeAuthClient {
    let storage = FileStorage(path: folder + "/tokens.json")
    let client = NativeAuthClient(configuration, storage: storage)
    return client
}

func whoIsSignedIn(_ client: NativeAuthClient) throws -> Account? {
    guard let account = try client.account() else { return nil }
    return account
}

func header(for account: Account) async throws -> String {
    let token = try await account.accessToken(scopes: ["api://sample/Orders.Read"])
    let header = "Bearer \(token.value)"
    return header
}

func facts(about account: Account) -> (country: String?, since: Date?) {
    let country = account.claims.string("country")
    let since = account.claims.date("iat")
    return (country, since)
}

func tokenWithClaim(of account: Account) async throws -> AccessToken {
    let wish = ClaimsRequest(accessToken: ["acrs": .init(essential: true, value: "c1")])
    let token = try await account.accessToken(claims: wish)
    return token
}

func signOut(_ account: Account) async throws {
    switch try await account.signOutEverywhere() {
    case .revoked: print("Nobody can refresh this session any more.")
    case .notOffered, .nothingToRevoke: print("Signed out on this machine.")
    case .failed(let error): print("Signed out on this machine. The tenant was not told: \(error.reason)")
    }
}
