// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Shows what programs have to know to use the tenant.
struct ShowConfig: TenantCommand {
    var tenant = TenantDefaults.name
    var field: String?
    var json = false

    static let name = "config get"
    static let summary = "Show the tenant's id and addresses"

    static var parameters: [Parameter<ShowConfig>] {
        [
            .positional(
                "NAME", to: \.field,
                help: "One of tenant_id, authority, issuer, profile, listen; all of them by default."),
            .flag("--json", to: \.json, help: "Print a JSON object."),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] { [Example("nativeauth tenant config get authority")] }

    func run(_ context: TenantContext) throws {
        let access = try context.access(tenant)
        var card = try access.card(waiting: context.wait)
        // While the tenant is served, its address is where it answers.
        if case .served(let place) = try TenantLock.attempt(access.folder) { card.authority = place.url }
        let rows = [
            ("tenant_id", card.tenantID), ("authority", card.authority), ("issuer", card.issuer),
            ("profile", card.profile),
            ("listen", card.listen),
        ]
        if let field {
            guard let row = rows.first(where: { $0.0 == field }) else {
                throw UsageError(
                    command: Self.name, "there is no '\(field)'",
                    suggestion: suggestion(for: field, among: rows.map(\.0)))
            }
            return try context.output.line(row.1)
        }
        if json { return try context.print(json: Dictionary(uniqueKeysWithValues: rows)) }
        for row in rows { try context.output.line("\(row.0)\t\(row.1)") }
    }
}

/// Shows the settings that the owner can change.
struct ListConfig: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "config list"
    static let summary = "Show the tenant's settings"

    static var parameters: [Parameter<ListConfig>] {
        [.flag("--json", to: \.json, help: "Print a JSON object."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        let settings = try context.look(into: tenant) { $0.currentSettings }
        if json { return try context.print(json: SettingsObject(settings)) }
        for limit in Settings.limits { try context.output.line("\(limit.name)\t\(settings[keyPath: limit.path])") }
        for choice in Settings.switches {
            try context.output.line("\(choice.name)\t\(settings[keyPath: choice.path] ? "on" : "off")")
        }
        try context.output.line("refresh_token_reuse\t\(settings.refreshTokenReuse.rawValue)")
        try context.output.line("blocked_contacts\t\(settings.blockedContacts.joined(separator: ",").printable)")
        try context.output.line("sms_command\t\(settings.smsCommand.printable)")
        try context.output.line("sms_url\t\(settings.smsURL.printable)")
    }
}

/// The settings as `--json` prints them, by the names that `config set` takes.
private struct SettingsObject: Encodable {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for limit in Settings.limits { try container.encode(settings[keyPath: limit.path], forKey: Name(limit.name)) }
        for choice in Settings.switches {
            try container.encode(settings[keyPath: choice.path], forKey: Name(choice.name))
        }
        try container.encode(settings.refreshTokenReuse, forKey: Name("refresh_token_reuse"))
        try container.encode(settings.blockedContacts, forKey: Name("blocked_contacts"))
        try container.encode(settings.smsCommand, forKey: Name("sms_command"))
        try container.encode(settings.smsURL, forKey: Name("sms_url"))
    }
}

/// Changes a setting of the tenant.
struct SetConfig: TenantCommand {
    var tenant = TenantDefaults.name
    var field = ""
    var value = ""

    static let name = "config set"
    static let summary = "Change a setting of the tenant"

    static var parameters: [Parameter<SetConfig>] {
        [
            .positional("NAME", to: \.field, help: "One of \(names.joined(separator: ", "))."),
            .positional(
                "VALUE", to: \.value,
                help: "A whole number, with times in seconds; 'on' or 'off'; a word; a text, which may be empty."),
            .tenant(to: \.tenant),
        ]
    }

    private static var names: [String] {
        Settings.limits.map(\.name) + Settings.switches.map(\.name)
            + ["refresh_token_reuse", "blocked_contacts", "sms_command", "sms_url"]
    }

    static var examples: [Example] {
        [
            Example("nativeauth tenant config set codes_per_address 1000", "Let a test ask for many codes."),
            Example(
                "nativeauth tenant config set refresh_token_reuse strict",
                "End a session whose refresh token is used twice."),
            Example(
                "nativeauth tenant config set sms_command 'jq -r .text | send-sms'",
                "Send text messages instead of spooling them."),
            Example(
                "nativeauth tenant config set blocked_contacts '+999*,*@blocked.example'",
                "Refuse contacts as strong methods."),
        ]
    }

    func run(_ context: TenantContext) throws {
        let apply = try change()
        try context.change(tenant) { provider in
            var settings = provider.currentSettings
            apply(&settings)
            try provider.save(settings)
        }
    }

    /// What the two words mean.
    private func change() throws(UsageError) -> (inout Settings) -> Void {
        if let limit = Settings.limits.first(where: { $0.name == field }) {
            let range = limit.range
            guard let number = Int(value), range.contains(number) else {
                throw wrong("a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return { $0[keyPath: limit.path] = number }
        }
        if let choice = Settings.switches.first(where: { $0.name == field }) {
            guard value == "on" || value == "off" else { throw wrong("'on' or 'off'") }
            return { [value] in $0[keyPath: choice.path] = value == "on" }
        }
        switch field {
        case "refresh_token_reuse":
            guard let reuse = RefreshTokenReuse(rawValue: value) else { throw wrong("'lenient' or 'strict'") }
            return { $0.refreshTokenReuse = reuse }
        case "sms_command":
            return { [value] in $0.smsCommand = value }
        case "sms_url":
            guard Settings.canBe(smsURL: value) else { throw wrong("an https address, or http on this machine") }
            return { [value] in $0.smsURL = value }
        case "blocked_contacts":
            return { [value] in $0.blockedContacts = value.split(separator: ",").map { String($0).trimmedBlanks } }
        default:
            throw UsageError(
                command: Self.name, "there is no '\(field)'", suggestion: suggestion(for: field, among: Self.names))
        }
    }

    private func wrong(_ wanted: String) -> UsageError {
        UsageError(command: Self.name, "\(field) is \(wanted), not '\(value)'")
    }
}

extension String {
    fileprivate var trimmedBlanks: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
