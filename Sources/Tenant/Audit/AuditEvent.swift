// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Something that the tenant's owner may have to account for. It names people by their object ids, and holds no secret.
package struct AuditEvent: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case signUp = "sign_up"
        case signIn = "sign_in"
        case signInFailed = "sign_in_failed"
        case passwordReset = "password_reset"
        case accountLocked = "account_locked"
        /// A refresh token that was used up came back, and ended its session.
        case refreshReuse = "refresh_reuse"
        /// An authorization code came back that was used up, and ended the session that it had led to.
        case codeReuse = "code_reuse"
        case revocation
        case logout
        case keyRotation = "key_rotation"
        /// The owner changed something.
        case administration
    }

    package var kind: Kind
    /// The object id of the account that it is about.
    package var account: String?
    package var clientID: String?
    /// What else there is to say, in words for the owner that never come from a request.
    package var detail: String

    package init(_ kind: Kind, account: String? = nil, clientID: String? = nil, detail: String = "") {
        self.kind = kind
        self.account = account
        self.clientID = clientID
        self.detail = detail
    }
}

/// An event as it stands in the book.
package struct AuditEntry: Sendable, Equatable, Codable {
    package var number: Int64
    package var time: Int64
    package var event: AuditEvent
    /// Where the request came from; nil for the owner's own acts.
    package var address: String?
    package var correlationID: String?
}

/// Times as JSON has them.
package enum RFC3339 {
    /// `2026-05-28T20:26:40Z`.
    package static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(Date.ISO8601FormatStyle())
    }

    /// Nil for what is no time of this form.
    package static func seconds(_ text: String) -> Int64? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle())).map { Int64($0.timeIntervalSince1970) }
    }
}
