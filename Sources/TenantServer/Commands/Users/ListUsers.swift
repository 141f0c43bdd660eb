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
        var objects: [UserObject] = []
        var page: [IdentityProvider.AccountCard] = []
        repeat {
            page = try context.perform(ReadAccounts(after: page.last?.username ?? ""), on: tenant)
            if json {
                objects += page.map(UserObject.init)
            } else {
                for account in page {
                    try context.output.line("\(account.id)\t\(account.username.printable)\t\(account.words)")
                }
            }
        } while !page.isEmpty
        if json { try context.print(json: objects) }
    }
}

extension IdentityProvider.AccountCard {
    /// What is special about it, in words.
    var words: String {
        var words = [hasPassword ? "password" : "code"]
        if let alias = status.alias { words.append("alias \(alias.printable)") }
        if status.isDisabled { words.append("disabled") }
        if status.mustChangePassword { words.append("has to change the password") }
        words += methods.map { "method \($0.text.printable)" }
        return words.joined(separator: ", ")
    }
}

/// An account as `--json` prints it.
struct UserObject: Encodable {
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
