// SPDX-License-Identifier: Apache-2.0

import Console
import Tenant

/// The mail of the local tenant, as it is shown in the middle of a conversation.
struct LocalInbox {
    private let spool: Spool

    init?(_ environment: [String: String]) {
        guard let folder = TenantPlace(environment: environment)?.folder(named: TenantDefaults.name) else { return nil }
        spool = folder.spool
    }

    /// The newest message, to one contact or to any, marked as what it is.
    func newest(to address: String?) -> String? {
        guard let message = try? spool.messages(to: address, limit: 1).first else { return nil }
        let text = message.text.printableLines.split(separator: "\n", omittingEmptySubsequences: false)
        let lines =
            [
                "\(message.channel == "sms" ? "Text message" : "Mail") of the local tenant to \(message.to.printable); it never left this machine:"
            ]
            + text.map { "  | \($0)" }
        return lines.joined(separator: "\n").trimmedEnd
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
