// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// What a tenant's owner can set. Durations are in seconds.
package struct Settings: Sendable, Codable, Equatable {
    /// The tenant's id, the middle of its addresses.
    package var tenantID: String
    /// A short name that its addresses may hold instead of the id.
    package var name: String
    /// Scheme, host and port of the tenant's addresses; the issuer is made of it, whatever a request's Host header says.
    package var origin: String

    package var codeLength = 8
    package var codeLifetime = 600
    /// Wrong codes until only a new one helps.
    package var codeAttempts = 5
    /// What an answer tells the client to wait before it asks for another code.
    package var resendInterval = 300
    /// What the tenant itself insists on between two codes of one flow.
    package var resendWait = 0
    /// Codes to one address within ``codeWindow``.
    package var codesPerAddress = 5
    /// Contacts that codes go to for one account within ``codeWindow``.
    package var contactsPerAccount = 10
    package var codeWindow = 1800
    package var flowLifetime = 600
    /// The same from a flow's beginning, however often it is carried on.
    package var flowMaximum = 3600
    /// How long a lost answer can be fetched again by the same request.
    package var replayWindow = 60
    /// Wrong passwords until the account is closed for ``lockDuration``, which doubles from then on.
    package var lockThreshold = 10
    package var lockDuration = 60
    /// The shortest life of an access token; the longest is half as long again.
    package var accessTokenLifetime = 3600
    package var idTokenLifetime = 3600
    package var refreshTokenLifetime = 90 * 86400
    /// The same for accounts that sign in with codes.
    package var codeRefreshTokenLifetime = 86400
    package var refreshTokenReuse = RefreshTokenReuse.lenient
    /// How often a finished password reset says that it is not done yet; clients have to be ready for it.
    package var pollsInProgress = 1
    /// What a reset tells the client to wait between two looks.
    package var pollInterval = 2
    /// Requests a second from one address; 0 for any number. The cloud takes 20.
    package var requestsPerSecond = 0

    /// Whether people may choose a new password by themselves.
    package var passwordReset = true
    /// Whether an account may be named by its alias instead of its address.
    package var aliasSignIn = false
    /// The service's documents contradict each other on a list without `redirect`: true answers `invalid_request`
    /// instead of `unsupported_challenge_type`.
    package var noRedirectIsInvalidRequest = false

    /// Addresses and telephone numbers, or their beginnings or ends as `+999*` and `*@example.com`, that no code goes to
    /// as a strong method.
    package var blockedContacts: [String] = []
    /// A shell command that sends a text message, which it reads as JSON; the spool takes it otherwise.
    package var smsCommand = ""
    /// The address of a service that sends text messages, where there is no command: https, or http on this machine.
    package var smsURL = ""

    package init(tenantID: String, name: String, origin: String) {
        self.tenantID = tenantID
        self.name = name
        self.origin = origin
    }

    /// The address below which the endpoints are.
    package var authority: String { "\(origin)/\(tenantID)" }
    package var issuer: String { "\(authority)/v2.0" }

    /// Whether a path's first segment means this tenant.
    func isNamed(by segment: String) -> Bool {
        let segment = segment.lowercased()
        return segment == tenantID || segment == name || segment == "\(name).onmicrosoft.com"
    }
}

/// What a refresh token is worth that has led to another one.
package enum RefreshTokenReuse: String, Sendable, Codable, CaseIterable {
    /// The one before the newest leads to the newest again; any older one ends the session.
    case lenient
    /// Nothing: whoever shows it has copied it, or was copied from, and the session ends.
    case strict
}

extension Settings {
    /// A number that the owner may change, and the values that make sense.
    package struct Limit {
        package let name: String
        package let path: WritableKeyPath<Settings, Int>
        package let range: ClosedRange<Int>
    }

    /// A year, in seconds: more than anything lasts.
    static let longest = 365 * 86400

    package static var limits: [Limit] {
        let seconds = 1...longest
        return [
            Limit(name: "code_length", path: \.codeLength, range: 6...10),
            Limit(name: "code_lifetime", path: \.codeLifetime, range: seconds),
            Limit(name: "code_attempts", path: \.codeAttempts, range: 1...100),
            Limit(name: "resend_interval", path: \.resendInterval, range: 0...86400),
            Limit(name: "resend_wait", path: \.resendWait, range: 0...86400),
            Limit(name: "codes_per_address", path: \.codesPerAddress, range: 1...1_000_000),
            Limit(name: "contacts_per_account", path: \.contactsPerAccount, range: 1...1_000_000),
            Limit(name: "code_window", path: \.codeWindow, range: seconds),
            Limit(name: "flow_lifetime", path: \.flowLifetime, range: seconds),
            Limit(name: "flow_maximum", path: \.flowMaximum, range: seconds),
            Limit(name: "lock_threshold", path: \.lockThreshold, range: 1...100),
            Limit(name: "lock_duration", path: \.lockDuration, range: seconds),
            Limit(name: "access_token_lifetime", path: \.accessTokenLifetime, range: seconds),
            Limit(name: "id_token_lifetime", path: \.idTokenLifetime, range: seconds),
            Limit(name: "refresh_token_lifetime", path: \.refreshTokenLifetime, range: seconds),
            Limit(name: "code_refresh_token_lifetime", path: \.codeRefreshTokenLifetime, range: seconds),
            Limit(name: "polls_in_progress", path: \.pollsInProgress, range: 0...4),
            Limit(name: "poll_interval", path: \.pollInterval, range: 1...60),
            Limit(name: "requests_per_second", path: \.requestsPerSecond, range: 0...1_000_000),
        ]
    }

    /// Whether a text can be ``smsURL``, or nothing.
    package static func canBe(smsURL text: String) -> Bool { text.isEmpty || CalloutTarget(text) != nil }

    /// Something that the owner may switch on and off.
    package struct Switch {
        package let name: String
        package let path: WritableKeyPath<Settings, Bool>
    }

    package static var switches: [Switch] {
        [
            Switch(name: "password_reset", path: \.passwordReset),
            Switch(name: "alias_sign_in", path: \.aliasSignIn),
            Switch(name: "no_redirect_is_invalid_request", path: \.noRedirectIsInvalidRequest),
        ]
    }
}

// MARK: - Reading

extension Settings {
    /// Settings as they are stored; what an older program did not know has its default.
    init(stored text: String) throws {
        guard case .object(let stored)? = JSONValue(json: text.utf8), let tenantID = stored["tenantID"]?.string,
            let name = stored["name"]?.string, let origin = stored["origin"]?.string,
            case .object(let defaults)? = JSONValue(
                json: try JSONEncoder().encode(Settings(tenantID: tenantID, name: name, origin: origin)))
        else { throw TenantContents.Damaged.settings }
        let all = JSONValue.object(defaults.merging(stored) { $1 })
        self = try JSONDecoder().decode(Settings.self, from: try JSONEncoder().encode(all))
    }
}
