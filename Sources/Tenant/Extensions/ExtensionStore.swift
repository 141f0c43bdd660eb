// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A call that came to nothing, as the owner's log has it.
package struct ExtensionFailure: Sendable, Codable, Equatable {
    /// Seconds since 1970.
    package var at: Int64
    /// The extension's id.
    package var `extension`: String
    package var code: Int
    package var text: String
}

extension Connection {
    mutating func save(_ registration: AuthenticationExtension) throws {
        let definition = try StoredJSON.text(registration)
        try run(
            """
            INSERT INTO extension (id, definition) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET definition = excluded.definition
            """, .text(registration.key), .text(definition))
    }

    mutating func extensions() throws -> [AuthenticationExtension] {
        try rows("SELECT definition FROM extension ORDER BY id").compactMap { $0.text(0) }.map {
            try JSONDecoder().decode(AuthenticationExtension.self, from: Data($0.utf8))
        }
    }

    /// Adds to the log, which keeps its newest entries.
    mutating func record(
        _ failure: CalloutFailure, of registration: AuthenticationExtension, at now: Date
    ) throws {
        try run(
            "INSERT INTO extension_failure (at, extension, code, text) VALUES (?, ?, ?, ?)",
            .integer(Int64(now.timeIntervalSince1970)), .text(registration.id.lowercased()),
            .integer(Int64(failure.code)), .text(failure.text))
        try run(
            "DELETE FROM extension_failure WHERE rowid <= (SELECT max(rowid) FROM extension_failure) - ?",
            .integer(Int64(ExtensionFailure.kept)))
    }
}

extension ExtensionFailure {
    /// How many the log has.
    package static let kept = 200
}

extension IdentityProvider {
    package func extensions() throws -> [AuthenticationExtension] {
        try database.transaction { connection in try connection.extensions() }
    }

    /// Adds or replaces an extension.
    package func save(_ registration: AuthenticationExtension) throws {
        try database.transaction { connection in
            try connection.save(registration)
            try audit("extension \(registration.id.lowercased())", &connection)
        }
    }

    /// Removes an extension; false if there is none with this id. What the log says about it stays.
    func removeExtension(_ id: String) throws -> Bool {
        try database.transaction { connection in
            guard try connection.run("DELETE FROM extension WHERE id = ?", .text(id.lowercased())) == 1 else {
                return false
            }
            try audit("extension \(id.lowercased()) removed", &connection)
            return true
        }
    }

    /// Writes a failure to the owner's log.
    func record(_ failure: CalloutFailure, of registration: AuthenticationExtension, at now: Date) throws {
        try database.transaction { connection in try connection.record(failure, of: registration, at: now) }
    }

    /// The newest failures, newest first.
    package func failures(limit: Int = ExtensionFailure.kept) throws -> [ExtensionFailure] {
        let rows = try database.transaction { connection in
            try connection.rows(
                "SELECT at, extension, code, text FROM extension_failure ORDER BY rowid DESC LIMIT ?",
                .integer(Int64(max(0, limit))))
        }
        return rows.compactMap { row in
            guard let at = row.integer(0), let id = row.text(1), let code = row.integer(2), let text = row.text(3)
            else { return nil }
            return ExtensionFailure(at: at, extension: id, code: Int(code), text: text)
        }
    }
}
