// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A mail that shows its reader, and the owner, that mail arrives.
struct TestMail: Sendable {
    let to: EmailAddress
    let id: String
    let date: Date

    func rendered(from sender: MailSender) -> String {
        let head = MailHead(
            sender: sender, recipient: to.ascii, subject: "Test of the tenant's mail", date: date, id: id)
        let text = "This mail was sent to see whether mail of the tenant arrives. It needs no answer."
        return (head.lines + ["Content-Type: text/plain; charset=utf-8", "", text, ""]).joined(separator: "\r\n")
    }
}
