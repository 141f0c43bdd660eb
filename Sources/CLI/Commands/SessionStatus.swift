// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// What `status --json` prints.
struct SessionStatus: Encodable {
    /// What has to happen before the next token.
    enum Need: String, Encodable { case none, refresh, signin }

    /// Why it stands as it does.
    enum Reason: String, Encodable {
        case valid
        case expiresSoon = "expires_soon"
        case expired
        case refused
        case signedOut = "signed_out"
        case damaged
        case keyMissing = "key_missing"
    }

    var schema = 1
    var account: AccountObject?
    var profile: String
    var authority: String
    var tenant: String?
    var client_id: String
    var signed_in_at: String?
    var expires_at: String?
    var expires_in: Int?
    var source = "cache"
    var storage: StorageFacts
    var usable: Bool
    var reason: Reason
    /// The tenant's word for its refusal.
    var error: String?
    var needs: Need
    /// How many seconds this machine's clock was ahead of the tenant's at the last sign-in or refresh.
    var clock_ahead: Int?
    /// What happened to the session, the newest last.
    var events: [SessionEventObject]

    init(_ found: CacheFinding, _ profile: Profile, _ storage: StorageFacts, now: Date) {
        let state = found.state
        clock_ahead = state?.clockAhead
        events = state?.events.map(SessionEventObject.init) ?? []
        let account = state?.account
        self.account = account.map(AccountObject.init)
        self.profile = profile.name
        authority = profile.authority.description
        tenant = account?.claims.string("tid")
        client_id = profile.clientID
        signed_in_at = account?.signedInAt?.formatted(.iso8601)
        expires_at = state?.expiresAt?.formatted(.iso8601)
        expires_in = state?.expiresAt.map { max(0, Int($0.timeIntervalSince(now))) }
        self.storage = storage
        switch state?.standing {
        case nil:
            (usable, needs) = (false, .signin)
            reason = found.isWithoutKey ? .keyMissing : .damaged
        case .signedOut: (usable, reason, needs) = (false, .signedOut, .signin)
        case .valid: (usable, reason, needs) = (true, .valid, .none)
        case .refreshable(let expired): (usable, reason, needs) = (true, expired ? .expired : .expiresSoon, .refresh)
        case .ended: (usable, reason, needs) = (false, .expired, .signin)
        case .refused(let code):
            (usable, reason, needs) = (false, .refused, .signin)
            error = code
        }
    }

    /// What a token changes that the caller brought in a variable.
    mutating func bring(_ token: GivenToken, now: Date) {
        source = token.source.rawValue
        expires_at = token.expiresAt?.formatted(.iso8601)
        expires_in = token.expiresAt.map { max(0, Int($0.timeIntervalSince(now))) }
        (usable, reason, needs, error) = (true, .valid, .none, nil)
    }

    /// The same for a person.
    var text: String {
        var rows = [
            (term: "Profile", text: profile), (term: "Tenant", text: authority.printable),
            (term: "App", text: client_id.printable),
        ]
        if let signed_in_at { rows.append((term: "Signed in", text: signed_in_at)) }
        rows.append((term: "Tokens", text: storage.text.printable))
        if let clock_ahead {
            let way = clock_ahead > 0 ? "ahead of" : "behind"
            rows.append((term: "Clock", text: "\(abs(clock_ahead)) seconds \(way) the tenant's"))
        }
        if let event = events.last, needs == .signin || event.isTrouble {
            rows.append((term: "Last event", text: event.text))
        }
        return headline + "\n" + Help.table(rows, 1000).joined(separator: "\n") + "\n"
    }

    private var headline: String {
        if source != "cache" {
            return "A token is brought by a variable: NATIVEAUTH_ACCESS_TOKEN\(source == "file" ? "_FILE" : "")."
        }
        let name = account?.username.printable ?? ""
        return switch (reason, needs) {
        case (.damaged, _): "The token cache is damaged. Sign in again: 'nativeauth signin'."
        case (.keyMissing, _): "The key of the encrypted token cache is gone. Sign in again: 'nativeauth signin'."
        case (.signedOut, _): "Nobody is signed in. Sign in with 'nativeauth signin'."
        case (.refused, _):
            "\(name) was signed in; the tenant has ended the session\(error.map { " (\($0.printable))" } ?? ""). Sign in again: 'nativeauth signin'."
        case (_, .signin): "\(name) was signed in; the token has run out. Sign in again: 'nativeauth signin'."
        case (_, .refresh): "Signed in as \(name). The next command gets a new token."
        default: "Signed in as \(name). The token is valid until \(expires_at ?? "")."
        }
    }
}
