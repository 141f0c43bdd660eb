// SPDX-License-Identifier: Apache-2.0

public import Foundation
import NativeAuth

/// An account in the cache.
public final class MSALAccount: NSObject, Sendable {
    let account: Account
    /// The host of the tenant that the account is from.
    public let environment: String

    init(_ account: Account, _ client: NativeAuthClient) {
        self.account = account
        environment = client.configuration.authority.host
    }

    /// The name the person signs in with, in lower case.
    public var username: String? { account.username.trimmingCharacters(in: .whitespaces).lowercased() }

    /// The account's id across apps: `{object id}.{tenant id}`.
    public var identifier: String? { account.homeAccountID }

    /// The same id, in its parts.
    public var homeAccountId: MSALAccountId? { MSALAccountId(account.homeAccountID) }

    /// What the tenant says about the person: the claims of the ID token.
    public var accountClaims: [String: Any]? {
        // The token was read when it arrived, so its claims are a JSON object.
        (try? JSONSerialization.jsonObject(with: account.claims.json)) as? [String: Any]
    }

    /// The tenants that the account is known to: its own.
    public var tenantProfiles: [MSALTenantProfile]? { [MSALTenantProfile(self)] }

    /// Whether a broker holds the account. There is none here.
    public var isSSOAccount: Bool { false }

    /// The user name.
    public override var description: String { username ?? "" }
}

/// The id of an account, in its parts.
public final class MSALAccountId: NSObject, Sendable {
    /// `{object id}.{tenant id}`.
    public let identifier: String
    /// The account's id in its tenant.
    public let objectId: String?
    /// The tenant's id.
    public let tenantId: String?

    init(_ identifier: String) {
        let parts = identifier.split(separator: ".", maxSplits: 1).map(String.init)
        self.identifier = identifier
        objectId = parts.first
        tenantId = parts.count == 2 ? parts[1] : nil
    }
}

/// What one tenant knows about an account.
public final class MSALTenantProfile: NSObject, Sendable {
    private let account: MSALAccount

    init(_ account: MSALAccount) { self.account = account }

    /// The account's id in the tenant.
    public var identifier: String? { account.homeAccountId?.objectId }
    /// The host of the tenant.
    public var environment: String { account.environment }
    /// The tenant's id.
    public var tenantId: String? { account.homeAccountId?.tenantId }
    /// Whether it is the account's own tenant; with External ID it always is.
    public var isHomeTenantProfile: Bool { true }
    /// The claims of the ID token.
    public var claims: [String: Any]? { account.accountClaims }
}
