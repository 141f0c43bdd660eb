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

    package internal(set) var profile = TenantProfile.entra
    /// The settings that the owner has set, by their names: no profile changes them.
    var chosen: [String] = []

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
    /// Where the doubling ends.
    package var lockMaximum = 60 << 10
    /// Wrong passwords in a row until only a new one helps; 0 for any number.
    package var lockCeiling = 0
    /// The shortest life of an access token; the longest is half as long again.
    package var accessTokenLifetime = 3600
    package var idTokenLifetime = 3600
    package var refreshTokenLifetime = 90 * 86400
    /// The same for accounts that sign in with codes.
    package var codeRefreshTokenLifetime = 86400
    package var refreshTokenReuse = RefreshTokenReuse.lenient
    /// For how many days a key signs; 0 for ever.
    package var keyRotation = 90
    /// How often a finished password reset says that it is not done yet; clients have to be ready for it.
    package var pollsInProgress = 1
    /// What a reset tells the client to wait between two looks.
    package var pollInterval = 2
    /// Requests a second from one address; 0 for any number. The cloud takes 20.
    package var requestsPerSecond = 0
    /// Wrong codes for one account in an hour, in all flows together; 0 for any number, as in the limits below.
    package var wrongCodesPerAccount = 100
    /// Wrong codes and passwords from one network in an hour: 256 addresses, or a subnet of IPv6.
    package var failuresPerNetwork = 1000
    /// Names that one network asks for in a minute.
    package var namesPerNetwork = 20
    /// Codes that are sent because of one network in an hour.
    package var codesPerNetwork = 100
    /// Codes in an hour, whoever asks.
    package var codesPerHour = 0
    /// Calls of one flow in a minute.
    package var callsPerFlow = 0
    /// Whether this machine's own addresses have the limits of a network.
    package var limitLoopback = false
    /// Addresses, or blocks of them as `10.0.0.0/8`, whose `X-Forwarded-For` is believed.
    package var trustedProxies: [String] = []

    /// In characters.
    package var passwordMinimum = 8
    /// Of lower-case letters, upper-case letters, digits and symbols.
    package var passwordKinds = 3
    package var passwordUnicode = false
    /// So many of the last passwords, the current one among them, cannot be chosen again.
    package var passwordHistory = 1
    /// Whether a mail tells people that their password was replaced.
    package var passwordNotice = false
    /// What a guess at a password costs, in KiB and passes of Argon2id.
    package var hashMemory = PasswordCost.least.memory
    package var hashPasses = PasswordCost.least.passes

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
    /// The origins whose scripts may call the endpoints, as browsers write them; none by default.
    package var corsOrigins: [String] = []
    /// A shell command that sends a text message, which it reads as JSON; the spool takes it otherwise.
    package var smsCommand = ""
    /// The address of a service that sends text messages, where there is no command: https, or http on this machine.
    package var smsURL = ""
    /// The server that mail is sent by, as `smtp://mail.example.com:587`; the spool takes mail otherwise.
    package var smtpURL = ""
    /// Who signs in at that server; nobody if it is empty.
    package var smtpUser = ""
    /// The file whose first line is the password for it.
    package var smtpPasswordFile = ""
    /// Who mail comes from, as ``MailSender`` reads it.
    package var smtpFrom = ""
    /// The certificate authorities that the server's certificate may be of, in PEM; the system's otherwise.
    package var smtpCAFile = ""
    /// For how long a mail may take to be handed over.
    package var smtpTimeout = 30

    package init(tenantID: String, name: String, origin: String) {
        self.tenantID = tenantID
        self.name = name
        self.origin = origin
    }

    /// The address below which the endpoints are.
    package var authority: String { "\(origin)/\(tenantID)" }
    package var issuer: String { "\(authority)/v2.0" }
    package var hashCost: PasswordCost { PasswordCost(memory: hashMemory, passes: hashPasses) }

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
