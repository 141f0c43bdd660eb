// SPDX-License-Identifier: Apache-2.0

package import FoundationEssentials
import Wire

/// Something that happened to a session, so that a person can be told why they are signed out. No secret is among it.
package struct SessionEvent: Sendable, Equatable {
    /// What happened.
    package enum Kind: String, Sendable {
        case signedIn = "signed_in"
        case refreshed
        /// The tenant refused to go on.
        case refused
        /// A refresh ended without its outcome being known: the process died, or the answer was lost.
        case refreshCutOff = "refresh_cut_off"
        case signedOut = "signed_out"
        case switched
    }

    package var kind: Kind
    package var at: Date
    /// The account, as `{object id}.{tenant id}`; nil for all of them.
    package var account: String?
    /// The name that the account signs in with.
    package var username: String?
    /// The tenant's words, and the id of the request in its log.
    package var error: String?
    package var suberror: String?
    package var correlationID: String?
}

/// The last events, in our own part of the cache: `events`, the newest last.
extension TokenCache {
    private static let eventLimit = 20
    /// A server must not fill the cache with its words.
    private static let wordLimit = 100

    var events: [SessionEvent] {
        guard case .array(let entries)? = own["events"] else { return [] }
        return entries.compactMap { entry in
            guard let kind = entry["event"]?.string.flatMap(SessionEvent.Kind.init), let at = entry["at"]?.seconds
            else {
                return nil
            }
            return SessionEvent(
                kind: kind, at: at, account: entry["account"]?.string, username: entry["username"]?.string,
                error: entry["error"]?.string, suberror: entry["suberror"]?.string,
                correlationID: entry["correlation_id"]?.string)
        }
    }

    /// Notes what happened to an account, which is still in the cache or was until now.
    mutating func record(
        _ kind: SessionEvent.Kind, _ account: CachedAccount?, _ error: AuthError? = nil, correlationID: String? = nil,
        at now: Date
    ) {
        var entry: [String: JSONValue] = ["event": .string(kind.rawValue), "at": .seconds(now)]
        let words = [
            "account": account?.homeAccountID, "username": account?.username, "error": error?.error,
            "suberror": error?.suberror, "correlation_id": correlationID ?? error?.correlationID,
        ]
        for (name, word) in words { entry[name] = word.map { .string(String($0.prefix(Self.wordLimit))) } }
        var kept: [JSONValue] = []
        if case .array(let entries)? = own["events"] { kept = entries }
        own["events"] = .array(Array((kept + [.object(entry)]).suffix(Self.eventLimit)))
        own["schema"] = .integer(Int64(Self.schema))
    }

    /// Takes the names out of what is noted about an account, or about everybody: who signs out leaves none behind.
    mutating func forgetNames(of account: String?) {
        guard case .array(let entries)? = own["events"] else { return }
        own["events"] = .array(
            entries.map { entry in
                guard var fields = entry.object, account == nil || fields["account"]?.string == account else {
                    return entry
                }
                fields["username"] = nil
                return .object(fields)
            })
    }
}
