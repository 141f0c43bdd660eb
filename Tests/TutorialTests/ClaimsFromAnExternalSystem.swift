// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL

// The program of docs/tutorials/claims-from-an-external-system.md.

// MARK: - The program

enum ClaimsFromAnExternalSystem {
    @MainActor
    static func main() async throws {
        let app = try shopApp(CommandLine.arguments)
        if let result = app.getNativeAuthUserAccount() {
            await renew(result)
            print(Customer(result.account).description)
        } else {
            let parameters = MSALNativeAuthSignInParameters(username: ask("Email:"))
            guard let result = await signIn(app, parameters) else { return }
            print(Customer(result.account).description)
        }
    }
}

// MARK: - The claims

/// What the shop's own system says of a customer.
struct Customer: CustomStringConvertible {
    let tier: String
    let duties: [String]

    init(_ account: MSALAccount) {
        let claims = account.accountClaims ?? [:]
        tier = claims["tier"] as? String ?? "none"
        duties = claims["duties"] as? [String] ?? []
    }

    var description: String { "tier \(tier), duties \(duties.joined(separator: " and "))" }
}

/// Has the tenant issue new tokens, and so ask the shop's system again.
@MainActor
func renew(_ result: MSALNativeAuthUserAccountResult) async {
    let parameters = MSALNativeAuthGetAccessTokenParameters()
    parameters.forceRefresh = true
    _ = await accessToken(of: result, parameters)
}

// MARK: - In an app

/// The customer's standing, for a view.
@MainActor
final class CustomerModel: CredentialsDelegate {
    private(set) var customer: Customer { didSet { changed() } }
    private(set) var message = "" { didSet { changed() } }
    /// Called when there is something new to be shown.
    var changed: () -> Void = {}
    private let account: MSALNativeAuthUserAccountResult

    init(_ account: MSALNativeAuthUserAccountResult) {
        self.account = account
        customer = Customer(account.account)
    }

    func refresh() {
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.forceRefresh = true
        account.getAccessToken(parameters: parameters, delegate: self)
    }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        customer = Customer(account.account)
    }

    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) {
        message = report(error)
    }
}
