// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

extension Connection {
    package mutating func save(_ settings: Settings) throws {
        try run(
            "INSERT INTO setting (name, value) VALUES ('settings', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            .text(try StoredJSON.text(settings)))
    }

    mutating func save(_ flow: UserFlow) throws {
        try run(
            """
            INSERT INTO user_flow (name, definition) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET definition = excluded.definition
            """, .text(flow.key), .text(try StoredJSON.text(flow)))
    }

    mutating func save(_ app: AppRegistration) throws {
        try run(
            """
            INSERT INTO app (client_id, user_flow, definition) VALUES (?, ?, ?)
            ON CONFLICT (client_id) DO UPDATE SET user_flow = excluded.user_flow, definition = excluded.definition
            """, .text(app.key), SQLValue(app.userFlow), .text(try StoredJSON.text(app)))
    }

    mutating func save(_ resource: Resource) throws {
        try run(
            """
            INSERT INTO resource (id, definition) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET definition = excluded.definition
            """, .text(resource.key), .text(try StoredJSON.text(resource)))
    }
}

/// What the tenant's owner sees and sets.
extension IdentityProvider {
    package var currentSettings: Settings { settings }

    package func apps() throws -> [AppRegistration] {
        try definitions("SELECT definition FROM app ORDER BY client_id")
    }

    package func resources() throws -> [Resource] {
        try definitions("SELECT definition FROM resource ORDER BY id")
    }

    package func userFlows() throws -> [UserFlow] {
        try definitions("SELECT definition FROM user_flow ORDER BY name")
    }

    /// Adds or replaces a user flow; sign-ups that are under way keep the one they began with.
    package func save(_ flow: UserFlow) throws {
        try database.transaction { connection in
            try connection.save(flow)
            try audit("flow \(flow.name)", &connection)
        }
    }

    package func save(_ app: AppRegistration) throws {
        try database.transaction { connection in
            try connection.save(app)
            try audit("app \(app.clientID.lowercased())", &connection)
        }
    }

    package func save(_ resource: Resource) throws {
        try database.transaction { connection in
            try connection.save(resource)
            try audit("api \(resource.id.lowercased())", &connection)
        }
    }

    /// Takes effect when the tenant is opened next.
    package func save(_ settings: Settings) throws {
        try database.transaction { connection in
            try connection.save(settings)
            let changed = Settings.table.filter { $0.text(in: self.settings) != $0.text(in: settings) }
            try audit(("config" + changed.map { " " + $0.name }.joined()), &connection)
        }
    }

    private func definitions<T: Decodable>(_ query: String) throws -> [T] {
        let texts = try database.transaction { connection in try connection.rows(query).compactMap { $0.text(0) } }
        return try texts.map { try JSONDecoder().decode(T.self, from: Data($0.utf8)) }
    }
}
