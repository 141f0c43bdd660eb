// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Lists the APIs that tokens can be for.
struct ListAPIs: TenantCommand {
    var tenant = TenantDefaults.name

    static let name = "api list"
    static let summary = "Print the APIs that tokens can be for, as JSON"
    static var parameters: [Parameter<ListAPIs>] { [.tenant(to: \.tenant)] }

    func run(_ context: TenantContext) throws {
        try context.print(json: try context.perform(ReadDefinitions(), on: tenant).resources)
    }
}

/// Adds or replaces an API.
struct SetAPI: TenantCommand {
    var tenant = TenantDefaults.name
    var file = ""

    static let name = "api set"
    static let summary = "Add or replace an API from a JSON file"

    static var parameters: [Parameter<SetAPI>] {
        [
            .positional("FILE", to: \.file, help: "An API, as 'api list' prints it; - for standard input."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        An API has an 'id' (a GUID, the audience of its tokens), a 'name', an 'identifier' that its scopes begin with, and \
        'scopes' by their short names. It may have 'claims', as an app may, for its access tokens.

          {"id": "55ee0000-0000-4000-8000-000000000001", "name": "Orders", "identifier": "api://orders",
           "scopes": ["Orders.Read"]}
        """
    }

    func run(_ context: TenantContext) throws {
        let resource: Resource = try TenantContext.definition(
            in: file, called: "API", shape: .api, hint: "Run 'nativeauth tenant help api set' for its form.")
        if let problem = resource.problem {
            throw CommandFailure(.invalidData, "The API cannot be used: \(problem.printable).")
        }
        _ = try context.perform(SaveAPI(resource), on: tenant)
    }
}

/// Removes an API.
struct RemoveAPICommand: TenantCommand {
    var tenant = TenantDefaults.name
    var id = ""

    static let name = "api remove"
    static let summary = "Remove an API: no more tokens are issued for it"

    static var parameters: [Parameter<RemoveAPICommand>] {
        [.positional("ID", to: \.id, help: "The id, as 'api list' prints it."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        _ = try context.perform(RemoveAPI(id), on: tenant)
    }
}
