// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A request for a token that nobody has to answer anything for.
struct SilentRequest: Sendable {
    let authority: Authority
    let account: String
    let scopes: [String]
    let claims: String?
    let refreshToken: String

    /// What tells this request from any other, and nothing about it: a digest of something that holds a secret. Nil when
    /// memory is out; then nothing is kept.
    var fingerprint: String? {
        let names = Set(scopes.map { $0.lowercased() }).sorted()
        let parts = [authority.description, account, names.joined(separator: " "), claims ?? "", refreshToken]
        // With their lengths, so that no two lists of parts read the same.
        let digest = SHA256.digest(of: parts.map { "\($0.utf8.count):\($0)" }.joined().utf8)
        return digest.map { Base64URL.encode($0) }
    }

    /// The same request as it will be made the next time.
    func renewed(with token: String?) -> SilentRequest {
        SilentRequest(
            authority: authority, account: account, scopes: scopes, claims: claims, refreshToken: token ?? refreshToken)
    }
}

/// Refreshes that failed a moment ago, in our own part of the token cache: `failures`, by fingerprint. The same request
/// is answered from here, so that a program in a loop does no harm to the tenant. No secret is among it.
extension TokenCache {
    /// How long a refusal is believed, in seconds; Microsoft's SDKs have the same times.
    private static let refusalLifetime: TimeInterval = 120
    /// The same for a server that has no time, where it does not say itself; and the most that it can say.
    private static let pause = 60
    private static let longestPause = 3600
    /// How many are kept, and how long their texts may be: a server must not fill the cache with its words.
    private static let limit = 16
    fileprivate static let textLimit = 1000
    fileprivate static let codeLimit = 16

    /// What the tenant said to this request, if it is to be believed still.
    func failure(of request: SilentRequest, at now: Date) -> AuthError? {
        guard let kept = own["failures"], let entry = request.fingerprint.flatMap({ kept[$0] }),
            let from = entry["noted_at"]?.seconds,
            let until = entry["until"]?.seconds, from <= now, now < until
        else { return nil }
        return AuthError(kept: entry)
    }

    /// Keeps what the tenant said, and forgets what is no longer believed.
    mutating func note(_ error: AuthError, of request: SilentRequest, at now: Date) {
        guard let fingerprint = request.fingerprint, var entry = error.kept(without: request.refreshToken) else {
            return
        }
        var life = Self.refusalLifetime
        if error.isPassing { life = TimeInterval(min(error.retryAfter ?? Self.pause, Self.longestPause)) }
        entry["noted_at"] = .seconds(now)
        entry["until"] = .seconds(now.addingTimeInterval(life))
        var failures = (own["failures"]?.object ?? [:]).filter { ($0.value["until"]?.seconds ?? now) > now }
        let oldest = failures.sorted { ($0.value["noted_at"]?.seconds ?? now) < ($1.value["noted_at"]?.seconds ?? now) }
        oldest.prefix(max(0, failures.count - Self.limit + 1)).forEach { failures[$0.key] = nil }
        failures[fingerprint] = .object(entry)
        own["failures"] = .object(failures)
    }

    mutating func forgetFailures() {
        guard own["failures"] != nil else { return }
        own["failures"] = nil
    }
}

// MARK: - An error as it is kept

extension AuthError {
    /// Nil for an error that is none of the tenant's own.
    ///
    /// - Parameter secret: What a server may have echoed, and a file is not to hold outside its place.
    fileprivate func kept(without secret: String) -> [String: JSONValue]? {
        var entry: [String: JSONValue] = [:]
        switch reason {
        case .rateLimited: entry["status"] = .integer(429)
        case .serverUnavailable(let status): entry["status"] = .integer(Int64(status))
        case .scopesDeclined(let granted): entry["granted"] = .string(granted.joined(separator: " "))
        case .browserRequired: break
        case .unexpectedAnswer: return nil
        default: if error == nil { return nil }
        }
        let texts = [
            "message": message, "error": error, "suberror": suberror, "uri": uri, "correlation_id": correlationID,
            "trace_id": traceID, "timestamp": timestamp,
        ]
        for (name, text) in texts {
            let safe = text.map { secret.isEmpty ? $0 : $0.replacing(secret, with: "…") }
            entry[name] = safe.map { .string(String($0.prefix(TokenCache.textLimit))) }
        }
        if !codes.isEmpty { entry["codes"] = .array(codes.prefix(TokenCache.codeLimit).map { .integer(Int64($0)) }) }
        entry["cut_off_at"] = refreshCutOffAt.map { .seconds($0) }
        entry["retry_after"] = retryAfter.map { .integer(Int64($0)) }
        return entry
    }

    fileprivate init(kept entry: JSONValue) {
        self.init(
            .browserRequired, message: entry["message"]?.string, endpoint: SignIn.Token.path,
            correlationID: entry["correlation_id"]?.string)
        error = entry["error"]?.string
        suberror = entry["suberror"]?.string
        uri = entry["uri"]?.string
        traceID = entry["trace_id"]?.string
        timestamp = entry["timestamp"]?.string
        if case .array(let numbers)? = entry["codes"] { codes = numbers.compactMap { $0.integer.map { Int($0) } } }
        refreshCutOffAt = entry["cut_off_at"]?.seconds
        retryAfter = entry["retry_after"]?.integer.map { Int($0) }
        wasThrottled = true
        reason = keptReason(entry)
    }

    private func keptReason(_ entry: JSONValue) -> Reason {
        if let status = entry["status"]?.integer {
            return status == 429 ? .rateLimited(retryAfter: retryAfter) : .serverUnavailable(status: Int(status))
        }
        if let granted = entry["granted"]?.string {
            return .scopesDeclined(granted: granted.split(separator: " ").map(String.init))
        }
        guard let error else { return .browserRequired }
        // The same words mean the same thing as when they came.
        let refusal = Refusal(
            Refusal.Kind(rawValue: error), suberror.map { Refusal.Suberror(rawValue: $0) }, description: message,
            codes: codes)
        return AuthError(refusingRefresh: refusal).reason
    }
}
