// SPDX-License-Identifier: Apache-2.0

/// Reads what apps there are, what they are for, and whom the tenant asks.
package struct ReadDefinitions: AdminCall {
    package init() {}

    package struct Reply: Codable, Sendable {
        package var apps: [AppRegistration]
        package var userFlows: [UserFlow]
        package var resources: [Resource]
        package var extensions: [AuthenticationExtension]
    }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Reply {
        Reply(
            apps: try tenant.provider.apps(), userFlows: try tenant.provider.userFlows(),
            resources: try tenant.provider.resources(),
            extensions: try tenant.provider.extensions())
    }
}

/// Adds or replaces an app.
package struct SaveApp: AdminCall {
    package var app: AppRegistration

    package init(_ app: AppRegistration) { self.app = app }

    package static let changesContents = true

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        if let flow = app.userFlow, try !tenant.provider.userFlows().contains(where: { $0.name == flow }) {
            throw AdminRefusal.noSuchFlow(flow)
        }
        try tenant.provider.save(app)
        return Done()
    }
}

/// Removes an app; sessions of it are not refreshed any more.
package struct RemoveApp: AdminCall {
    package var clientID: String

    package init(_ clientID: String) { self.clientID = clientID }

    package static let changesContents = true

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        let id = clientID.lowercased()
        return try tenant.remove("app", id, "DELETE FROM app WHERE client_id = ?", or: .noSuchApp(clientID)) {
            connection in
            try connection.run("UPDATE session SET revoked = 1 WHERE client_id = ?", .text(id))
        }
    }
}

/// Adds or replaces a user flow.
package struct SaveUserFlow: AdminCall {
    package var flow: UserFlow

    package init(_ flow: UserFlow) { self.flow = flow }

    package static let changesContents = true

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        try tenant.provider.save(flow)
        return Done()
    }
}

/// Removes a user flow that no app uses.
package struct RemoveUserFlow: AdminCall {
    package var flow: String

    package init(_ flow: String) { self.flow = flow }

    package static let changesContents = true

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        try tenant.remove("flow", flow, "DELETE FROM user_flow WHERE name = ?", or: .noSuchFlow(flow)) {
            connection in
            guard try connection.rows("SELECT 1 FROM app WHERE user_flow = ?", .text(flow)).isEmpty else {
                throw AdminRefusal.flowInUse(flow)
            }
        }
    }
}

/// Adds or replaces an API.
package struct SaveAPI: AdminCall {
    package var resource: Resource

    package init(_ resource: Resource) { self.resource = resource }

    package static let changesContents = true

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        let others = try tenant.provider.resources().filter { $0.id.lowercased() != resource.id.lowercased() }
        guard !others.contains(where: { $0.identifier == resource.identifier }) else {
            throw AdminRefusal.identifierTaken(resource.identifier)
        }
        try tenant.provider.save(resource)
        return Done()
    }
}

/// Removes an API: no more tokens are issued for it.
package struct RemoveAPI: AdminCall {
    package var id: String

    package init(_ id: String) { self.id = id }

    package static let changesContents = true

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        let key = id.lowercased()
        return try tenant.remove("api", key, "DELETE FROM resource WHERE id = ?", or: .noSuchAPI(id))
    }
}

/// Adds or replaces an extension; replies with its id.
package struct SaveExtension: AdminCall {
    package var draft: ExtensionDraft

    package init(_ draft: ExtensionDraft) { self.draft = draft }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> String {
        let others = try tenant.provider.extensions()
        let registration = try draft.registration(among: others)
        if let problem = registration.problem ?? registration.conflict(with: others) {
            throw AdminRefusal.unusable(problem)
        }
        try tenant.provider.save(registration)
        return registration.id
    }
}

/// Removes an extension.
package struct RemoveExtensionCall: AdminCall {
    package var id: String

    package init(_ id: String) { self.id = id }

    package func run(on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void) throws -> Done {
        guard try tenant.provider.removeExtension(id) else { throw AdminRefusal.noSuchExtension(id) }
        return Done()
    }
}

/// Reads the newest calls of extensions that came to nothing.
package struct ReadExtensionFailures: AdminCall {
    package init() {}

    package func run(
        on tenant: OpenTenant, _ tell: (AdminProgress) throws -> Void
    ) throws -> [ExtensionFailure] {
        try tenant.provider.failures()
    }
}

extension OpenTenant {
    /// Removes a definition, and writes that down; all of it or nothing.
    ///
    /// - Parameter before: What stands in the way, or goes with it.
    fileprivate func remove(
        _ kind: String, _ key: String, _ sql: String, or refusal: AdminRefusal,
        before: (inout Connection) throws -> Void = { _ in }
    ) throws -> Done {
        try provider.database.transaction { connection in
            try before(&connection)
            guard try connection.run(sql, .text(key)) == 1 else { throw refusal }
            try provider.audit("\(kind) \(key) removed", &connection)
            return Done()
        }
    }
}
