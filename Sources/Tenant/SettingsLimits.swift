// SPDX-License-Identifier: Apache-2.0

extension Settings {
    /// The profile comes first: it changes others.
    static var profiles: [Setting] {
        [
            Setting(
                name: "profile",
                form: .word(
                    TenantProfile.allCases.map(\.rawValue), shown: { $0.profile.rawValue },
                    set: { settings, text in
                        if let profile = TenantProfile(rawValue: text) { settings.adopt(profile) }
                    }))
        ]
    }

    /// How often, and by whom.
    static var limits: [Setting] {
        let count = 0...1_000_000
        return [
            .number("lock_maximum", \.lockMaximum, 1...longest),
            .number("lock_ceiling", \.lockCeiling, 0...1000),
            .number("wrong_codes_per_account", \.wrongCodesPerAccount, count),
            .number("failures_per_network", \.failuresPerNetwork, count),
            .number("names_per_network", \.namesPerNetwork, count),
            .number("codes_per_network", \.codesPerNetwork, count),
            .number("codes_per_hour", \.codesPerHour, count),
            .number("calls_per_flow", \.callsPerFlow, count),
            Setting(name: "limit_loopback", form: .choice(\.limitLoopback)),
            Setting(name: "trusted_proxies", form: .list(\.trustedProxies, .addressBlock)),
        ]
    }

    /// What passwords have to be, and what a guess at one costs.
    static var passwordRules: [Setting] {
        [
            .number("password_minimum", \.passwordMinimum, 8...64),
            .number("password_kinds", \.passwordKinds, 0...4),
            Setting(name: "password_unicode", form: .choice(\.passwordUnicode)),
            .number("password_history", \.passwordHistory, 0...24),
            Setting(name: "password_notice", form: .choice(\.passwordNotice)),
            .number("hash_memory", \.hashMemory, PasswordCost.least.memory...PasswordCost.most.memory),
            .number("hash_passes", \.hashPasses, PasswordCost.least.passes...PasswordCost.most.passes),
        ]
    }
}
