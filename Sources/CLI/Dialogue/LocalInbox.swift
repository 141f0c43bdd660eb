// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// The mail of the local tenant, as it is shown in the middle of a conversation.
struct LocalInbox {
    private let spool: Spool
    /// The newest message at the last look; text messages may take a way of the owner's, and then nothing new is here.
    private var seen: Spool.Message?

    init?(_ environment: [String: String]) {
        guard let folder = TenantPlace(environment: environment)?.folder(named: TenantDefaults.name) else { return nil }
        spool = folder.spool
        seen = newest(to: nil)
    }

    /// A message that was not there before, to one contact or to any, marked as what it is.
    mutating func news(to contact: String?) -> String? {
        guard let message = newest(to: contact), message != seen else { return nil }
        seen = message
        let text = message.text.printableLines.split(separator: "\n", omittingEmptySubsequences: false)
        let lines =
            [
                "\(message.channel == "sms" ? "Text message" : "Mail") of the local tenant to \(message.to.printable); it never left this machine:"
            ]
            + text.map { "  | \($0)" }
        return lines.joined(separator: "\n").trimmedEnd
    }

    private func newest(to contact: String?) -> Spool.Message? {
        try? spool.messages(to: contact, limit: 1).first
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last?.isWhitespace == true || text.hasSuffix("\n  |") {
            text.removeLast(text.hasSuffix("\n  |") ? 4 : 1)
        }
        return text
    }
}
