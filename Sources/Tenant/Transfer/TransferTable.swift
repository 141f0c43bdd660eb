// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A table on its way from one database to another.
struct TransferTable: Sendable {
    let name: String
    let columns: [String]
    /// Whether the database gives its rows numbers, which go on from the highest.
    var isNumbered = false

    /// All of them, each after those that it refers to.
    static let all = [
        TransferTable("setting", "name value"),
        TransferTable("user_flow", "name definition"),
        TransferTable("app", "client_id user_flow definition"),
        TransferTable("resource", "id definition"),
        TransferTable("extension", "id definition"),
        TransferTable("api_secret", "resource hash created_at"),
        TransferTable("signing_key", "kid sealed created_at number published_at activates_at longest_token"),
        TransferTable(
            "account",
            """
            id username_key username password attributes created_at failures locked_until recent_failures alias disabled \
            change_password identity_provider generation
            """),
        TransferTable("former_password", "account generation password"),
        TransferTable("method", "id account contact registered_at"),
        TransferTable(
            "session",
            """
            id account client_id scopes counter signed_in_at expires_at revoked amr former_request former_answer former_until
            """),
        TransferTable(
            "flow",
            """
            id client_id state token expires_at former_token former_request former_answer former_until opened_at
            """),
        TransferTable("code", "flow mac sent_at expires_at attempts last_wrong"),
        TransferTable("code_sent", "address sent_at account"),
        TransferTable("throttle", "kind subject ends_at count"),
        TransferTable("authorization_code", "code client_id request authentication expires_at used session"),
        TransferTable(
            "device_grant",
            "id device_code user_code client_id request authentication state expires_at interval polled_at"),
        TransferTable(
            "outbox",
            """
            id sealed request claimed_until channel posted_at expires_at attempts next_at problem reply abandoned_at reason
            """, isNumbered: true),
        TransferTable("extension_failure", "at extension code text"),
        TransferTable("audit", "id at event account client_id detail address correlation_id", isNumbered: true),
    ]

    private init(_ name: String, _ columns: String, isNumbered: Bool = false) {
        self.name = name
        self.columns = columns.split(separator: " ").map(String.init)
        self.isNumbered = isNumbered
    }

    var count: String { "SELECT count(*) FROM " + name }
    var read: String { "SELECT " + columns.joined(separator: ", ") + " FROM " + name }
    var clear: String { "DELETE FROM " + name }
    var write: String {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT INTO " + name + " (" + columns.joined(separator: ", ") + ") VALUES (" + places + ")"
    }
}

/// The first line of a tenant that was written out: what it takes to read the others, and how many there are.
struct TransferHead: Codable, Equatable {
    /// The version of the tables.
    var nativeauthTenant: Int64
    /// Opens the seals; whoever has it has the tenant. In base64.
    var sealingKey: Data
    var rows: Int

    enum CodingKeys: String, CodingKey {
        case nativeauthTenant = "nativeauth_tenant"
        case sealingKey = "sealing_key"
        case rows
    }
}

// MARK: - Rows

extension SQLValue {
    /// Bytes are an object with base64 in it.
    var transferred: JSONValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .text(let value): .string(value)
        case .blob(let value): .object(["b": .string(Data(value).base64EncodedString())])
        }
    }

    init?(transferred value: JSONValue) {
        switch value {
        case .null: self = .null
        case .integer(let value): self = .integer(value)
        case .string(let value): self = .text(value)
        case .object(let members):
            guard members.count == 1, let data = members["b"]?.string.flatMap({ Data(base64Encoded: $0) }) else {
                return nil
            }
            self = .blob(Array(data))
        case .bool, .number, .array: return nil
        }
    }
}
