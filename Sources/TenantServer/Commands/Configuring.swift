// SPDX-License-Identifier: Apache-2.0

import Console
import Files
import FoundationEssentials
import Glibc
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
        if case .served(let url) = try TenantLock.attempt(access.folder) { card.authority = url }
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
                help: "A whole number, with times in seconds; 'on' or 'off'; a text, which may be empty."),
            .tenant(to: \.tenant),
        ]
    }

    private static var names: [String] {
        Settings.limits.map(\.name) + Settings.switches.map(\.name) + ["blocked_contacts", "sms_command"]
    }

    static var examples: [Example] {
        [
            Example("nativeauth tenant config set codes_per_address 1000", "Let a test ask for many codes."),
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
        case "sms_command":
            return { [value] in $0.smsCommand = value }
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

/// Lists the apps that may use the tenant.
struct ListApps: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "app list"
    static let summary = "List the apps that may use the tenant"

    static var parameters: [Parameter<ListApps>] {
        [.flag("--json", to: \.json, help: "Print a JSON array."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        let apps = try context.access(tenant).card(waiting: context.wait).apps
        if json { return try context.print(json: apps) }
        for app in apps { try context.output.line("\(app.clientID)\t\(app.flow ?? "-")\t\(app.name.printable)") }
    }
}

/// Lists the user flows.
struct ListFlows: TenantCommand {
    var tenant = TenantDefaults.name

    static let name = "flow list"
    static let summary = "Print the user flows as JSON"
    static var parameters: [Parameter<ListFlows>] { [.tenant(to: \.tenant)] }

    func run(_ context: TenantContext) throws {
        let access = try context.access(tenant)
        switch try access.use(waiting: context.wait, { try $0.userFlows() }) {
        case .done(let flows): try context.print(json: flows)
        case .served(let url): throw TenantAccess.Refused.served(url: url)
        }
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
        'boolean' or 'integer'), 'required', 'page' (from 1) and 'regex'.

          {"name": "email-code", "method": "code", "attributes": [{"name": "country"}]}
        """
    }

    func run(_ context: TenantContext) throws {
        let data: Data
        do throws(FileError) {
            data = try FileDescriptor(file == "-" ? "/dev/stdin" : file, O_RDONLY).readToEnd(limit: 1024 * 1024)
        } catch {
            throw CommandFailure(
                .missingInput,
                "Cannot \(error.operation) '\(file.printable)': \(String(cString: strerror(error.errno))).")
        }
        guard let flow = try? JSONDecoder().decode(UserFlow.self, from: data) else {
            throw CommandFailure(
                .invalidData, "'\(file.printable)' is no user flow.",
                hint: "Run 'nativeauth tenant help flow set' for its form.")
        }
        if let problem = flow.problem {
            throw CommandFailure(.invalidData, "The user flow cannot be used: \(problem.printable).")
        }
        try context.change(tenant) { try $0.save(flow) }
    }
}

extension TenantContext {
    /// Changes a tenant that nobody serves.
    fileprivate func change(_ tenant: String, _ body: (IdentityProvider) throws -> Void) throws {
        let access = try access(tenant)
        let result = try access.use(waiting: wait) { provider in
            try body(provider)
            try access.folder.updateCard(of: provider)
        }
        if case .served(let url) = result { throw TenantAccess.Refused.served(url: url) }
    }
}
