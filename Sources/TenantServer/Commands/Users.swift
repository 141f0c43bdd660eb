// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Lists the accounts.
struct ListUsers: TenantCommand {
    var tenant = TenantDefaults.name
    var json = false

    static let name = "user list"
    static let summary = "List the accounts"

    static var parameters: [Parameter<ListUsers>] {
        [.flag("--json", to: \.json, help: "Print a JSON array."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        let accounts = try context.look(into: tenant) { try $0.accounts() }
        if json { return try context.print(json: accounts.map(UserObject.init)) }
        for account in accounts {
            try context.output.line("\(account.id)\t\(account.username.printable)\t\(account.words)")
        }
    }
}

/// Changes an account.
struct SetUser: TenantCommand {
    var tenant = TenantDefaults.name
    var username = ""
    var disabled: String?
    var changePassword: String?
    var alias: String?
    var methods: [String] = []
    var forgetsMethods = false

    static let name = "user set"
    static let summary = "Change what an account may do, and how"

    static var parameters: [Parameter<SetUser>] {
        [
            .positional("EMAIL", to: \.username, help: "The account's mail address."),
            .option("--disabled", value: "on|off", to: \.disabled, help: "Whether it may sign in."),
            .option(
                "--change-password", value: "on|off", to: \.changePassword,
                help: "Whether its password has to be replaced before it can be used."),
            .option(
                "--alias", value: "NAME", to: \.alias,
                help: "A second name to sign in with, where alias_sign_in is on; empty for none."),
            .option(
                "--method", value: "CONTACT", to: \.methods,
                help: "A mail address or telephone number for second factors; may be repeated."),
            .flag(
                "--forget-methods", to: \.forgetsMethods,
                help: "Take all contacts for second factors away, before those of --method are added."),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] {
        [
            Example("nativeauth tenant user set ada@example.com --disabled on"),
            Example("nativeauth tenant user set ada@example.com --method +4790000007"),
        ]
    }

    func run(_ context: TenantContext) throws {
        let isDisabled = try switched(disabled, "--disabled")
        let mustChange = try switched(changePassword, "--change-password")
        if let alias, !AccountStatus.canBe(alias: alias) {
            throw UsageError(command: Self.name, "'\(alias)' cannot be an alias: use letters, digits, '.', '_' and '-'")
        }
        let contacts = try methods.map { text throws(UsageError) in
            guard let contact = Contact(text) else {
                throw UsageError(
                    command: Self.name, "'\(text)' is no mail address, and no number with its country code")
            }
            return contact
        }
        do {
            try context.change(tenant) { provider in
                let found = try provider.changeAccount(username) { status in
                    status.isDisabled = isDisabled ?? status.isDisabled
                    status.mustChangePassword = mustChange ?? status.mustChangePassword
                    if let alias { status.alias = alias.isEmpty ? nil : alias }
                }
                guard found else { throw CommandFailure(.failed, "There is no account '\(username.printable)'.") }
                if forgetsMethods { _ = try provider.removeMethods(of: username) }
                for contact in contacts { _ = try provider.addMethod(contact, to: username) }
            }
        } catch is IdentityProvider.AliasTaken {
            throw CommandFailure(.failed, "Another account goes by the alias '\(alias ?? "")'.")
        }
    }

    private func switched(_ value: String?, _ flag: String) throws(UsageError) -> Bool? {
        guard let value else { return nil }
        guard value == "on" || value == "off" else {
            throw UsageError(command: Self.name, "\(flag) is 'on' or 'off', not '\(value)'")
        }
        return value == "on"
    }
}

/// Deletes an account.
struct DeleteUser: TenantCommand {
    var tenant = TenantDefaults.name
    var username = ""

    static let name = "user delete"
    static let summary = "Delete an account with its sessions"

    static var parameters: [Parameter<DeleteUser>] {
        [.positional("EMAIL", to: \.username, help: "The account's mail address."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        try context.change(tenant) { provider in
            guard try provider.deleteAccount(username) else {
                throw CommandFailure(.failed, "There is no account '\(username.printable)'.")
            }
        }
    }
}

extension IdentityProvider.AccountCard {
    /// What is special about it, in words.
    fileprivate var words: String {
        var words = [hasPassword ? "password" : "code"]
        if let alias = status.alias { words.append("alias \(alias.printable)") }
        if status.isDisabled { words.append("disabled") }
        if status.mustChangePassword { words.append("has to change the password") }
        words += methods.map { "method \($0.text.printable)" }
        return words.joined(separator: ", ")
    }
}

/// An account as `--json` prints it.
private struct UserObject: Encodable {
    var id: String
    var username: String
    var alias: String?
    var sign_in: String
    var disabled: Bool
    var change_password: Bool
    var methods: [String]

    init(_ account: IdentityProvider.AccountCard) {
        id = account.id
        username = account.username
        alias = account.status.alias
        sign_in = account.hasPassword ? "password" : "code"
        disabled = account.status.isDisabled
        change_password = account.status.mustChangePassword
        methods = account.methods.map(\.text)
    }
}
