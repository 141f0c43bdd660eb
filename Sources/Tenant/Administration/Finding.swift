// SPDX-License-Identifier: Apache-2.0

/// Something about a tenant that is not as it has to be.
package struct Finding: Sendable, Codable, Equatable {
    /// The invariant that does not hold. Its raw value is a name that scripts may rely on.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        // The database as a file.
        case databaseUnreadable = "database_unreadable"
        case databaseDamaged = "database_damaged"
        case databaseNewer = "database_newer"
        case schemaDiffers = "schema_differs"
        case brokenReference = "broken_reference"

        // The key, and what is sealed with it.
        case keyMissing = "key_missing"
        case keyDamaged = "key_damaged"
        case sealedUnreadable = "sealed_unreadable"
        case noSigningKey = "no_signing_key"

        // What the owner has set.
        case settingsUnreadable = "settings_unreadable"
        case definitionUnreadable = "definition_unreadable"

        // People, and what they have begun.
        case accountUnreadable = "account_unreadable"
        case accountWithoutCredential = "account_without_credential"
        case nameTakenTwice = "name_taken_twice"
        case methodUnreadable = "method_unreadable"
        case flowUnreadable = "flow_unreadable"
        case flowAliveTwice = "flow_alive_twice"
        case codeTriesWrong = "code_tries_wrong"
        case sessionUnreadable = "session_unreadable"
        case messageUnreadable = "message_unreadable"

        // The files (their modes let others in, or they are somebody else's).
        case fileOpenToOthers = "file_open_to_others"
        case fileOfAnother = "file_of_another"
    }

    package let kind: Kind
    /// What it is about: a path, a table, or the id of a row; never an address of a person, and no secret.
    package let subject: String

    package init(_ kind: Kind, _ subject: String) {
        self.kind = kind
        self.subject = subject
    }
}
