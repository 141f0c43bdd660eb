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
        let settings = try context.perform(ReadSettings(), on: tenant)
        if json {
            let values = Settings.table.map { ($0.name, $0.json(in: settings)) }
            return try context.print(json: Dictionary(uniqueKeysWithValues: values))
        }
        for setting in Settings.table {
            try context.output.line("\(setting.name)\t\(setting.text(in: settings).printable)")
        }
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
            .positional("NAME", to: \.field, help: "One of \(Settings.table.map(\.name).joined(separator: ", "))."),
            .positional(
                "VALUE", to: \.value,
                help: "A whole number, with times in seconds; 'on' or 'off'; a word; a text, which may be empty."),
            .tenant(to: \.tenant),
        ]
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
        _ = try context.perform(ChangeSetting(field, to: value), on: tenant)
    }

    /// What the two words mean is known before the tenant is touched.
    func check() throws(UsageError) {
        guard let setting = Settings.table.first(where: { $0.name == field }) else {
            throw UsageError(
                command: Self.name, "there is no '\(field)'",
                suggestion: suggestion(for: field, among: Settings.table.map(\.name)))
        }
        guard setting.change(to: value) != nil else {
            throw UsageError(command: Self.name, "\(field) is \(setting.form.words), not '\(value)'")
        }
    }
}

extension Setting.Form {
    /// What a value may be.
    fileprivate var words: String {
        switch self {
        case .number(_, let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .choice: "'on' or 'off'"
        case .word(let words, _, _): words.map { "'\($0)'" }.joined(separator: " or ")
        case .text(_, let rule), .list(_, let rule): rule.words
        }
    }
}

extension Setting.TextRule {
    fileprivate var words: String {
        switch self {
        case .any: "a text"
        case .serviceURL: "an https address, or http on this machine"
        case .addressBlock: "addresses or blocks of them, as 10.0.0.0/8, with commas between"
        case .mailServer: "a mail server as smtp://HOST:PORT or smtps://HOST:PORT"
        case .mailSender: "a mail address, or 'Name <address>'"
        case .path: "the path of a file, from the root"
        case .line: "a text without control characters"
        case .origin: "origins as https://shop.example, with commas between them"
        }
    }
}
