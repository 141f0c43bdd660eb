// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Tenant
import Wire

/// Shows all that there is to know about an account.
struct ShowUser: TenantCommand {
    var tenant = TenantDefaults.name
    var username = ""
    var json = false

    static let name = "user show"
    static let summary = "Show an account: its attributes, contacts and sessions"

    static var parameters: [Parameter<ShowUser>] {
        [
            .positional("EMAIL", to: \.username, help: "The account's mail address."),
            .flag("--json", to: \.json, help: "Print a JSON object."), .tenant(to: \.tenant),
        ]
    }

    func run(_ context: TenantContext) throws {
        let account = try context.perform(ReadAccount(username), on: tenant)
        if json { return try context.print(json: AccountObject(account)) }
        var rows = [
            ("id", account.card.id), ("username", account.card.username.printable), ("state", account.card.words),
            ("created", account.createdAt.formatted(Date.ISO8601FormatStyle())),
            ("sessions", String(account.sessions)),
        ]
        if let until = account.lockedUntil {
            rows.append(("locked until", until.formatted(Date.ISO8601FormatStyle())))
        }
        rows += account.attributes.sorted { $0.key < $1.key }.map { ($0.key.printable, $0.value.words.printable) }
        for (name, value) in rows { try context.output.line("\(name)\t\(value)") }
    }
}

/// An account as `user show --json` prints it.
private struct AccountObject: Encodable {
    let account: ReadAccount.Reply

    init(_ account: ReadAccount.Reply) { self.account = account }

    private enum Key: String, CodingKey {
        case attributes
        case created_at
        case locked_until
        case sessions
    }

    func encode(to encoder: any Encoder) throws {
        try UserObject(account.card).encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(account.attributes, forKey: .attributes)
        try container.encode(account.createdAt.formatted(Date.ISO8601FormatStyle()), forKey: .created_at)
        try container.encodeIfPresent(
            account.lockedUntil.map { $0.formatted(Date.ISO8601FormatStyle()) }, forKey: .locked_until)
        try container.encode(account.sessions, forKey: .sessions)
    }
}

extension JSONValue {
    /// A value as people read it.
    fileprivate var words: String {
        switch self {
        case .null: "-"
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .string(let value): value
        case .array(let values): values.map(\.words).joined(separator: ", ")
        case .object: "{…}"
        }
    }
}
