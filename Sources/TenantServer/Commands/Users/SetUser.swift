// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

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
        var change = ChangeAccount(username)
        change.isDisabled = isDisabled
        change.mustChangePassword = mustChange
        change.alias = alias
        change.forgetsMethods = forgetsMethods
        change.methods = contacts
        _ = try context.perform(change, on: tenant)
    }

    private func switched(_ value: String?, _ flag: String) throws(UsageError) -> Bool? {
        guard let value else { return nil }
        guard value == "on" || value == "off" else {
            throw UsageError(command: Self.name, "\(flag) is 'on' or 'off', not '\(value)'")
        }
        return value == "on"
    }
}
