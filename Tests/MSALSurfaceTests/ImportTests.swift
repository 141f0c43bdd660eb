// SPDX-License-Identifier: Apache-2.0

import MSAL

/// An app's file that imports nothing but Microsoft's SDK has Foundation all the same.
///
/// That this compiles is the test, so nothing else may be imported here.
private final class Screen: NSObject {
    let id = UUID()
    let address: URL? = URL(string: "https://contoso.ciamlogin.com")
    /// A screen rarely owns the one that is told.
    weak var delegate: (any SignInStartDelegate)?

    func later(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }

    /// The blocks of a screen may change it, whether it is on the main actor or not.
    func load(_ app: MSALPublicClientApplication, _ account: MSALAccount) {
        app.getCurrentAccount(with: nil) { account, _, _ in self.name = account?.username }
        app.acquireTokenSilent(with: MSALSilentTokenParameters(scopes: [], account: account)) { result, error in
            self.name = result?.account.username ?? (error as NSError?)?.domain
        }
    }

    private var name: String?
}
