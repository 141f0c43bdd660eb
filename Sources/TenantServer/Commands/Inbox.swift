// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// Shows the mail that the tenant has sent.
struct Inbox: TenantCommand {
    var tenant = TenantDefaults.name
    var to: String?
    var onlyCode = false
    var json = false

    static let name = "inbox"
    static let summary = "Show the mail that the tenant has sent, newest first"

    static var parameters: [Parameter<Inbox>] {
        [
            .option("--to", value: "ADDRESS", to: \.to, help: "Only mail to this address."),
            .flag("--code", to: \.onlyCode, help: "Print only the newest code."),
            .flag("--json", to: \.json, help: "Print a JSON array."),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] {
        [Example("nativeauth tenant inbox --code --to ada@example.com", "Print the newest code for an address.")]
    }

    func run(_ context: TenantContext) throws {
        let messages = try context.access(tenant).folder.spool.messages(to: to, limit: onlyCode ? 1 : 100)
        if json { return try context.print(json: messages) }
        guard let newest = messages.first else {
            let addressee = to.map { " to \($0.printable)" } ?? ""
            throw CommandFailure(.failed, "There is no mail\(addressee).")
        }
        if onlyCode { return try context.output.line(newest.code) }
        for message in messages {
            try context.output.line("To:      \(message.to.printable)")
            try context.output.line("Date:    \(message.date.printable)")
            try context.output.line("Subject: \(message.subject.printable)\n")
            try context.output.line(message.text.printableLines + "\n")
        }
    }
}
