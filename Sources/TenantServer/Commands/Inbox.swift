// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Shows the mail that the tenant has sent.
struct Inbox: TenantCommand {
    var tenant = TenantDefaults.name
    var to: String?
    var onlyCode = false
    var json = false
    var follows = false

    static let name = "inbox"
    static let summary = "Show the mail that the tenant has sent, newest first"

    static var parameters: [Parameter<Inbox>] {
        [
            .option("--to", value: "ADDRESS", to: \.to, help: "Only mail to this address."),
            .flag("--code", to: \.onlyCode, help: "Print only the newest code."),
            .flag("--json", to: \.json, help: "Print a JSON array; with --follow, one object in a line."),
            .flag("--follow", to: \.follows, help: "Show mail as it comes, until Ctrl-C."),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] {
        [
            Example("nativeauth tenant inbox --code --to ada@example.com", "Print the newest code for an address."),
            Example("nativeauth tenant inbox --follow", "Show mail as it comes."),
        ]
    }

    func run(_ context: TenantContext) throws {
        let spool = try context.access(tenant).folder.spool
        if follows { return try spool.follow(to: to, withCode: onlyCode) { try show($0, context) } }
        let messages = try spool.messages(to: to, withCode: onlyCode, limit: onlyCode ? 1 : 100)
        if json { return try context.print(json: messages) }
        guard let newest = messages.first else {
            let addressee = to.map { " to \($0.printable)" } ?? ""
            throw CommandFailure(.failed, "There is no mail\(addressee).")
        }
        for message in onlyCode ? [newest] : messages { try show(message, context) }
    }

    private func show(_ message: Spool.Message, _ context: TenantContext) throws {
        if onlyCode { return try context.output.line(message.code) }
        if json { return try context.print(json: message) }
        try context.output.line("To:      \(message.to.printable)")
        try context.output.line("Date:    \(message.date.printable)")
        try context.output.line("Subject: \(message.subject.printable)\n")
        try context.output.line(message.text.printableLines + "\n")
    }
}
