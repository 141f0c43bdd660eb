// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// A token that goes to another program, and what is known about it.
struct GivenToken: Sendable {
    /// Where it comes from.
    enum Source: String, Sendable { case cache, refresh, env, file }

    let value: String
    let isIDToken: Bool
    let source: Source
    var scopes: [String] = []
    /// Nil where the token does not say.
    var expiresAt: Date?
    /// Nil for a token that the caller brought.
    var account: Account?
    var profile: Profile?

    /// A token that the caller brought.
    init(_ value: String, source: Source) {
        self.value = value
        isIDToken = false
        self.source = source
        expiresAt = Claims(uncheckedToken: value)?.date("exp")
    }

    init(_ token: AccessToken, _ account: Account, _ profile: Profile) throws(CommandFailure) {
        value = try Self.checked(token.value)
        isIDToken = false
        source = token.wasRefreshed ? .refresh : .cache
        scopes = token.scopes
        expiresAt = token.expiresAt
        self.account = account
        self.profile = profile
    }

    /// The ID token of an account.
    init(of account: Account, _ profile: Profile, wasRefreshed: Bool) throws(CommandFailure) {
        value = try Self.checked(account.idToken)
        isIDToken = true
        source = wasRefreshed ? .refresh : .cache
        scopes = account.scopes
        expiresAt = account.claims.date("exp")
        self.account = account
        self.profile = profile
    }

    /// Whether a text can stand in a header without ending it: RFC 6750, section 2.1, has fewer characters still, but
    /// some tenants more than that.
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func checked(_ text: String) throws(CommandFailure) -> String {
        if isToken(text) { return text }
        throw CommandFailure(.brokenProtocol, "The token that the tenant gave has characters that no token may have.")
    }
}

extension Context {
    /// The token that is meant: one that the caller brought in a variable, else one of the account.
    func token(_ choice: TokenChoice) async throws -> GivenToken {
        if choice.takesAnyToken, let token = try broughtToken(goodFor: choice.minimumValidity) { return token }
        let (client, profile) = try client(choice.profile)
        let account = try await signedIn(client, named: choice.account, in: profile)
        guard !choice.idToken else { return try await idToken(of: account, choice, client, profile) }
        let token = try await account.accessToken(
            scopes: choice.scopes, forceRefresh: choice.forceRefresh, minimumValidity: choice.validity)
        return try lasting(try GivenToken(token, account, profile), choice)
    }

    /// Insists on how long a token has to last, where the person has said so.
    private func lasting(_ token: GivenToken, _ choice: TokenChoice) throws(CommandFailure) -> GivenToken {
        guard let wanted = choice.minimumValidity, let end = token.expiresAt else { return token }
        let left = end.timeIntervalSince(time.now())
        guard left < wanted / .seconds(1) else { return token }
        throw CommandFailure(
            .refused, "The tenant's tokens last \(Int(left)) seconds now, which is less than --min-validity.",
            hint: "Ask for less, or have the tenant's token lifetime changed.")
    }

    /// One refresh brings a new ID token with the access token.
    private func idToken(
        of account: Account, _ choice: TokenChoice, _ client: NativeAuthClient, _ profile: Profile
    ) async throws -> GivenToken {
        func isGood(_ account: Account) -> Bool {
            let end = account.claims.date("exp") ?? .distantPast
            return end.timeIntervalSince(time.now()) >= choice.validity / .seconds(1)
        }
        if !choice.forceRefresh, isGood(account) {
            return try GivenToken(of: account, profile, wasRefreshed: false)
        }
        _ = try await account.accessToken(scopes: choice.scopes, forceRefresh: true)
        let renewed = try await signedIn(client, named: account.homeAccountID, in: profile)
        guard let end = renewed.claims.date("exp"), end > time.now() else {
            throw CommandFailure(
                .signInNeeded, "The ID token has expired, and the tenant gave no other.",
                hint: "Sign in again: 'nativeauth signin'.")
        }
        return try lasting(try GivenToken(of: renewed, profile, wasRefreshed: true), choice)
    }

    /// A token in the place of one that a resource has rejected; nil where there is no account to get one of.
    func token(insteadOf rejected: GivenToken, _ choice: TokenChoice) async throws -> GivenToken? {
        guard let account = rejected.account, let profile = rejected.profile else { return nil }
        if rejected.isIDToken {
            var choice = choice
            choice.forceRefresh = true
            return try await token(choice)
        }
        let token = try await account.accessToken(
            scopes: choice.scopes, insteadOf: rejected.value, minimumValidity: choice.validity)
        return try GivenToken(token, account, profile)
    }
}
