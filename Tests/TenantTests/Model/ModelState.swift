// SPDX-License-Identifier: Apache-2.0

import TenantTesting

/// What the model remembers of a flow.
struct ModelFlow {
    /// The call that used the token before the newest, and what it got.
    struct Former {
        let call: ModelCall
        let answer: RawAnswer
        let until: Int
    }

    let app: String
    let address: String
    let canProveMore: Bool
    let canRegister: Bool
    var place: Place
    /// The newest token; nil when the flow is over.
    var token: String? { didSet { tokens += token.map { [$0] } ?? [] } }
    /// Every token that it ever had.
    var tokens: [String] = []
    let opened: Int
    var expires: Int
    var former: Former?
    var password: String?
    var hasAttributes = false
    /// Whether the first factor is a password.
    var byPassword = false
    var hasTwoFactors = false
    /// How many passwords the account had had when the first factor was proven.
    var generation = 0
    var provenMail: String?
    var code: ModelCode?
    /// Where the newest code went, or would go.
    var contact: String?
    var looks = 0
}

/// The code of a flow, as its receiver read it.
struct ModelCode {
    let text: String
    let expires: Int
    var tries = 0
    var lastWrong: ModelCall?

    func isOpen(at time: Int) -> Bool { time < expires && tries < 5 }

    /// A wrong try counts, unless it is the one before sent again.
    mutating func count(_ call: ModelCall) {
        guard lastWrong != call else { return }
        lastWrong = call
        tries += 1
    }
}

/// What the model remembers of an account.
struct ModelAccount {
    var password: String?
    /// How often the password has been replaced.
    var generation = 0
    /// The contacts of its strong methods, oldest first, and their ids as far as they were listed.
    var methods: [String] = []
    var ids: [String: String] = [:]
    var failures = 0
    var recentFailures: [String] = []
    var lockedUntil = 0

    /// - Parameter threshold: How many wrong passwords close the account for a minute; each one more doubles it.
    mutating func fail(_ password: String, at time: Int, threshold: Int) {
        guard !recentFailures.contains(password) else { return }
        recentFailures = Array(([password] + recentFailures).prefix(3))
        failures += 1
        if failures >= threshold { lockedUntil = time + 60 << min(failures - threshold, 10) }
    }

    mutating func forgive() {
        failures = 0
        recentFailures = []
        lockedUntil = 0
    }
}

/// The refresh tokens that began with one sign-in, oldest first.
struct ModelFamily {
    let app: String
    let address: String
    let life: Int
    var tokens: [String]
    var expires: Int
    var isRevoked = false
}
