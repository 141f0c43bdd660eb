// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A refresh that is under way, in our own part of the cache: `refreshing`. It is written before the request and taken away
/// with the outcome; who finds it, and holds the lock, knows that a refresh token may have been spent without anybody having
/// its successor. It holds a digest of the token, and no secret.
extension TokenCache {
    mutating func noteRefreshBegun(_ request: SilentRequest, at now: Date) {
        guard let digest = request.tokenDigest else { return }
        own["refreshing"] = .object(["refresh_token": .string(digest), "started_at": .seconds(now)])
        own["schema"] = .integer(Int64(Self.schema))
    }

    mutating func noteRefreshEnded() {
        own["refreshing"] = nil
    }

    /// When a refresh with the same token began whose outcome nobody knows; nil without one.
    func refreshCutOff(of request: SilentRequest) -> Date? {
        guard let entry = own["refreshing"], let digest = request.tokenDigest, entry["refresh_token"]?.string == digest
        else { return nil }
        return entry["started_at"]?.seconds
    }
}

extension SilentRequest {
    fileprivate var tokenDigest: String? {
        SHA256.digest(of: refreshToken.utf8).map { Base64URL.encode($0) }
    }
}

extension AuthError {
    /// Whether the request may have reached the tenant though no answer came back.
    var mayHaveArrived: Bool {
        switch reason {
        case .cancelled, .network(.connectionLost), .network(.timedOut), .network(.tooLarge), .network(.other): true
        default: false
        }
    }
}

/// How far the clocks were apart at the last sign-in or refresh: `clock_ahead`, in seconds.
extension TokenCache {
    /// Less than this is nothing to speak of, and would be written anew with each refresh.
    private static let clockTolerance = 30

    var clockAhead: Int? { own["clock_ahead"]?.integer.flatMap { Int(exactly: $0) } }

    mutating func note(_ clock: ClockComparison) {
        guard let ahead = clock.ahead else { return }
        own["clock_ahead"] = abs(ahead) < Self.clockTolerance ? nil : .integer(Int64(ahead))
    }
}
