// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import Tenant

/// Sends a mail to see whether mail arrives.
struct SendTestMail: TenantCommand {
    var tenant = TenantDefaults.name
    var address = ""

    static let name = "mail test"
    static let summary = "Send a test mail, and say what the mail server answered"

    static var parameters: [Parameter<SendTestMail>] {
        [
            .positional("ADDRESS", to: \.address, help: "Who it goes to."),
            .tenant(to: \.tenant),
        ]
    }

    static var examples: [Example] { [Example("nativeauth tenant mail test ada@example.com")] }

    func run(_ context: TenantContext) throws {
        guard let to = EmailAddress(address) else {
            throw UsageError(command: Self.name, "'\(address.printable)' is no mail address")
        }
        let settings = try context.perform(ReadSettings(), on: tenant)
        guard let relay = MailRelay(settings) else {
            throw CommandFailure(
                .configuration, "The tenant has no mail server: its mail goes to the inbox on this machine.",
                hint: "Name one with 'nativeauth tenant config set smtp_url smtp://HOST:PORT'.")
        }
        let reply: String
        do throws(DeliveryFailure) {
            reply = try relay.sendTest(to: to, id: UUID().uuidString.lowercased(), at: Date())
        } catch {
            throw CommandFailure(error)
        }
        try context.output.line("The mail server took the mail: \(reply.printable)")
    }
}
