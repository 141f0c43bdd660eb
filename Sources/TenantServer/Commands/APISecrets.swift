// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Gives an API a secret, with which it may ask about tokens.
struct PrintAPISecret: TenantCommand {
    var tenant = TenantDefaults.name
    var id = ""

    static let name = "api secret"
    static let summary = "Print a new secret with which an API may ask about tokens"

    static var parameters: [Parameter<PrintAPISecret>] {
        [.positional("ID", to: \.id, help: "The API's id, as 'api list' prints it."), .tenant(to: \.tenant)]
    }

    static var discussion: String {
        """
        The API sends it with its id to the address that the tenant's description calls introspection_endpoint, and \
        learns whether a token still counts (RFC 7662). The secret is printed once, and replaces the API's former one.
        """
    }

    func run(_ context: TenantContext) throws {
        try context.output.line(try context.perform(MakeAPISecret(id), on: tenant))
    }
}
