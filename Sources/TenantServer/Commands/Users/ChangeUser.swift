// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// The changes that have a command of their own: one account, nothing else to say.
protocol UserChange: TenantCommand {
    var tenant: String { get set }
    var username: String { get set }

    func change(_ account: inout ChangeAccount)
}

extension UserChange {
    static var parameters: [Parameter<Self>] {
        [.positional("EMAIL", to: \.username, help: "The account's mail address."), .tenant(to: \.tenant)]
    }

    func run(_ context: TenantContext) throws {
        var account = ChangeAccount(username)
        change(&account)
        _ = try context.perform(account, on: tenant)
    }
}

/// Keeps an account from signing in, and from being refreshed.
struct DisableUser: UserChange {
    var tenant = TenantDefaults.name
    var username = ""

    static let name = "user disable"
    static let summary = "Keep an account from signing in; its sessions are not refreshed"

    func change(_ account: inout ChangeAccount) { account.isDisabled = true }
}

/// Lets a disabled account sign in again.
struct EnableUser: UserChange {
    var tenant = TenantDefaults.name
    var username = ""

    static let name = "user enable"
    static let summary = "Let a disabled account sign in again"

    func change(_ account: inout ChangeAccount) { account.isDisabled = false }
}

/// Makes a password good for nothing but to be replaced.
struct RequirePasswordChange: UserChange {
    var tenant = TenantDefaults.name
    var username = ""

    static let name = "user require-change"
    static let summary = "Let an account's password be good for nothing until it is replaced"

    func change(_ account: inout ChangeAccount) { account.mustChangePassword = true }
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
        _ = try context.perform(DeleteAccount(username), on: tenant)
    }
}

/// Gives an account a password.
struct SetUserPassword: TenantCommand {
    var tenant = TenantDefaults.name
    var username = ""
    var file: String?
    var fromInput = false

    static let name = "user set-password"
    static let summary = "Give an account a password, and end its sessions"

    static var parameters: [Parameter<SetUserPassword>] {
        [
            .positional("EMAIL", to: \.username, help: "The account's mail address."),
            .option("--password-file", value: "FILE", to: \.file, help: "Read the password from a file."),
            .flag("--password-stdin", to: \.fromInput, help: "Read the password from standard input."),
            .tenant(to: \.tenant),
        ]
    }

    func check() throws(UsageError) {
        guard (file != nil) != fromInput else {
            throw UsageError(command: Self.name, "give one of --password-file and --password-stdin")
        }
    }

    func run(_ context: TenantContext) throws {
        let password: Secret
        do throws(SecretError) {
            password =
                if let file { try .read(path: file) } else {
                    try .read(descriptor: Input.standardInput.descriptor)
                }
        } catch {
            throw CommandFailure(.missingInput, error.message)
        }
        _ = try context.perform(SetPassword(username, password: password.text), on: tenant)
    }
}
