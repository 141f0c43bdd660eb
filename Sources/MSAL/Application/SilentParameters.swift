// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import NativeAuth

/// What calls with a completion block have in common.
public class MSALParameters: NSObject {
    /// Where the block is called; the main queue by default.
    public var completionBlockQueue: DispatchQueue?
}

/// Which accounts are wanted; all by default.
public final class MSALAccountEnumerationParameters: MSALParameters {
    /// The account's ``MSALAccount/identifier``.
    public var identifier: String?
    /// The account's id in its tenant.
    public var tenantProfileIdentifier: String?
    /// The name the person signs in with.
    public var username: String?
    /// Leaves out accounts that are signed out on the whole device. What is signed out is in no cache here, so both mean
    /// the same.
    public var returnOnlySignedInAccounts = true

    /// All accounts.
    public override init() {}

    /// The account with this ``MSALAccount/identifier``.
    public init(identifier: String) { self.identifier = identifier }

    /// The accounts with this user name, and this identifier if there is one.
    public init(identifier: String?, username: String) {
        self.identifier = identifier
        self.username = username
    }

    /// The account with this id in its tenant.
    public init(tenantProfileIdentifier: String) { self.tenantProfileIdentifier = tenantProfileIdentifier }
}

/// Which token is wanted, and of whom.
public final class MSALSilentTokenParameters: MSALParameters {
    /// The app's scopes that the token has to cover.
    public var scopes: [String]
    /// Whose token.
    public var account: MSALAccount
    /// Asks the tenant even if the cached token would do.
    public var forceRefresh = false
    /// The claims that the token is to hold. The tenant is always asked for them.
    public var claimsRequest: MSALClaimsRequest?
    /// The id of the request in the tenant's log; a new one by default.
    public var correlationId: UUID?

    /// A wish for a token.
    public init(scopes: [String], account: MSALAccount) {
        self.scopes = scopes
        self.account = account
    }
}

/// An access token, and whose it is.
public final class MSALResult: NSObject, Sendable {
    private let tokens: SilentTokens
    /// The account.
    public let account: MSALAccount
    /// The tenant.
    public let authority: MSALAuthority
    /// The id of the request in the tenant's log.
    public let correlationId: UUID

    init(_ tokens: SilentTokens, _ flow: Flow) {
        self.tokens = tokens
        account = MSALAccount(tokens.account, flow.client)
        authority = MSALAuthority(flow.client.configuration.authority)
        correlationId = UUID(uuidString: flow.correlation.id) ?? UUID()
    }

    /// The token itself.
    public var accessToken: String { tokens.access.value }
    /// When it ends, by this machine's clock.
    public var expiresOn: Date? { tokens.access.expiresAt }
    /// What it allows.
    public var scopes: [String] { tokens.access.scopes }
    /// The ID token.
    public var idToken: String? { tokens.account.idToken }
    /// What the tenant knows of the account.
    public var tenantProfile: MSALTenantProfile { MSALTenantProfile(account) }
    /// How the token is used: `Bearer`.
    public var authenticationScheme: String { "Bearer" }
    /// The value of the `Authorization` field.
    public var authorizationHeader: String { "Bearer \(accessToken)" }
    /// What the token is for, without the token.
    public override var description: String { tokens.access.description }
}
