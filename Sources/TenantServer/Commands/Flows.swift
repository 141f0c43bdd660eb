// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Lists the user flows.
struct ListFlows: TenantCommand {
    var tenant = TenantDefaults.name

    static let name = "flow list"
    static let summary = "Print the user flows as JSON"
    static var parameters: [Parameter<ListFlows>] { [.tenant(to: \.tenant)] }

    func run(_ context: TenantContext) throws {
        try context.print(json: try context.perform(ReadDefinitions(), on: tenant).userFlows)
    }
}

/// Adds or replaces a user flow.
struct SetFlow: TenantCommand {
    var tenant = TenantDefaults.name
    var file = ""

    static let name = "flow set"
    static let summary = "Add or replace a user flow from a JSON file"

    static var parameters: [Parameter<SetFlow>] {
        [
            .positional("FILE", to: \.file, help: "A user flow, as 'flow list' prints it; - for standard input."),
            .tenant(to: \.tenant),
        ]
    }

    static var discussion: String {
        """
        A user flow has a 'name', a 'method' ('password' or 'code') and 'attributes', each with 'name', 'type' ('string', \
        'boolean' or 'integer'), 'required', 'page' (from 1), 'regex', 'choices' (the texts \
        there are) and 'takes_several' (of them, joined by commas).

          {"name": "email-code", "method": "code", "attributes": [{"name": "country"}]}
        """
    }

    func run(_ context: TenantContext) throws {
        let flow: UserFlow = try TenantContext.definition(
            in: file, called: "user flow", shape: .userFlow, hint: "Run 'nativeauth tenant help flow set' for its form."
        )
        if let problem = flow.problem {
            throw CommandFailure(.invalidData, "The user flow cannot be used: \(problem.printable).")
        }
        _ = try context.perform(SaveUserFlow(flow), on: tenant)
    }
}

/// Removes a user flow.
struct RemoveFlowCommand: TenantCommand {
    var tenant = TenantDefaults.name
    var flow = ""

    static let name = "flow remove"
    static let summary = "Remove a user flow that no app uses"

    static var parameters: [Parameter<RemoveFlowCommand>] {
        [.positional("NAME", to: \.flow, help: "The name, as 'flow list' prints it."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        _ = try context.perform(RemoveUserFlow(flow), on: tenant)
    }
}
