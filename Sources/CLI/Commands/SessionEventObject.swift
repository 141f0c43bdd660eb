// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// An event as `status --json` prints it. Names scripts can rely on; no secret is among it.
struct SessionEventObject: Encodable {
    var event: String
    var at: String
    var account: String?
    var username: String?
    var error: String?
    var suberror: String?
    var correlation_id: String?

    init(_ event: SessionEvent) {
        self.event = event.kind.rawValue
        at = event.at.formatted(.iso8601)
        account = event.account
        username = event.username
        error = event.error
        suberror = event.suberror
        correlation_id = event.correlationID
    }

    /// Whether it may be why the session ends soon, though the token is still good.
    var isTrouble: Bool {
        [SessionEvent.Kind.refused, .refreshCutOff].map(\.rawValue).contains(event)
    }

    /// The same for a person, on one line.
    var text: String {
        let what = event.replacing("_", with: " ")
        let words = [error, suberror].compactMap { $0?.printable }.joined(separator: ", ")
        let id = correlation_id.map { ", correlation id \($0.printable)" } ?? ""
        return "\(at) \(what)" + (words.isEmpty ? "" : ": \(words)") + id
    }
}
