// SPDX-License-Identifier: Apache-2.0

/// Whom a tenant takes after.
package enum TenantProfile: String, Sendable, Codable, CaseIterable {
    /// The service: it tells who has an account, and its numbers are the defaults.
    case entra
    /// OWASP's ASVS 5.0 and NIST's SP 800-63B: nobody is told who has an account, and the numbers are theirs.
    case strict

    /// What settings have in this profile, as `config set` takes it; those that are not named are the same in each.
    package var values: [String: String] {
        switch self {
        case .strict: Self.strictValues
        case .entra:
            // Those of a fresh tenant.
            Dictionary(
                uniqueKeysWithValues: Settings.table.filter { Self.strictValues[$0.name] != nil }.map {
                    ($0.name, $0.text(in: Settings(tenantID: "", name: "", origin: "")))
                })
        }
    }

    private static let strictValues = [
        "code_lifetime": "600", "code_window": "3600", "resend_interval": "60", "resend_wait": "60",
        "flow_lifetime": "900", "calls_per_flow": "30",
        "lock_threshold": "5", "lock_duration": "1", "lock_maximum": "900", "lock_ceiling": "100",
        "wrong_codes_per_account": "20", "codes_per_network": "30", "failures_per_network": "100",
        "codes_per_hour": "1000", "limit_loopback": "on",
        "password_minimum": "15", "password_kinds": "0", "password_unicode": "on", "password_history": "5",
        "password_notice": "on", "refresh_token_lifetime": "86400",
    ]
}

extension Settings {
    /// Takes a profile's values wherever the owner has chosen none: whatever was set, or differs from what the former
    /// profile has, stays as it is.
    package mutating func adopt(_ next: TenantProfile) {
        let former = profile.values
        for (name, text) in next.values where !chosen.contains(name) {
            guard let setting = Self.table.first(where: { $0.name == name }), setting.text(in: self) == former[name]
            else { continue }
            setting.write(text, to: &self)
        }
        profile = next
    }
}
