// SPDX-License-Identifier: Apache-2.0

import Wire

/// What the service demands of a password: 8 to 256 characters of its alphabet, three of four kinds, none banned.
struct PasswordRules: Sendable {
    /// Words that must not make up a password: the most common ones, and the person's and the tenant's own.
    var banned: [String] = PasswordRules.common

    /// Why a password is refused; nil if it is not.
    func refusal(of password: String, username: EmailAddress) -> Refusal? {
        let count = password.unicodeScalars.count
        if !password.unicodeScalars.allSatisfy(Self.isAllowed) {
            return Self.refuse(.passwordIsInvalid, 399_245, "The password has characters that are not allowed.")
        }
        if count < 8 {
            return Self.refuse(.passwordTooShort, 399_247, "The password has fewer than 8 characters.")
        }
        if count > 256 {
            return Self.refuse(.passwordTooLong, 399_248, "The password has more than 256 characters.")
        }
        if Self.kinds(in: password) < 3 {
            return Self.refuse(
                .passwordTooWeak, 399_246,
                "The password needs three of these: lower-case letters, upper-case letters, digits, symbols.")
        }
        if score(password, username) < 5 {
            return Self.refuse(.passwordBanned, 399_249, "The password is made of words that are too easy to guess.")
        }
        return nil
    }

    private static func refuse(_ suberror: Refusal.Suberror, _ code: Int, _ text: String) -> Refusal {
        Refusal(.invalidGrant, suberror, description: text, codes: [code])
    }

    /// The service's alphabet: printable ASCII.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value)
    }

    private static func kinds(in password: String) -> Int {
        let tests: [(Character) -> Bool] = [
            { $0.isASCII && $0.isLowercase }, { $0.isASCII && $0.isUppercase }, { $0.isASCII && $0.isNumber },
            { !$0.isLetter && !$0.isNumber },
        ]
        return tests.filter { password.contains(where: $0) }.count
    }

    /// One point for each banned word and for each character that belongs to none, after the usual substitutions are
    /// undone; five are needed. This is how Entra's password protection counts.
    private func score(_ password: String, _ username: EmailAddress) -> Int {
        var rest = Self.normalised(password)
        var points = 0
        let own = username.key.split(separator: "@").prefix(1).map { Self.normalised(String($0)) }
        for word in (banned + own).sorted(by: { $0.count > $1.count }) where word.count >= 4 {
            while let range = rest.firstRange(of: word) {
                rest.removeSubrange(range)
                points += 1
            }
        }
        return points + rest.count
    }

    private static func normalised(_ text: String) -> String {
        let plain: [Character: Character] = ["0": "o", "1": "l", "$": "s", "@": "a"]
        return String(text.lowercased().map { plain[$0] ?? $0 })
    }

    /// Normalised as `normalised(_:)` leaves them.
    private static let common = [
        "password", "passwort", "passord", "welcome", "letmein", "qwerty", "qwertz", "azerty", "iloveyou", "monkey",
        "dragon", "football", "baseball", "sunshine", "princess", "superman", "batman", "trustnol", "master", "shadow",
        "admin", "login", "secret", "changeme", "default", "test", "guest", "summer", "winter", "spring", "autumn",
        "l23456", "l234567", "l2345678", "l23456789", "l2345", "l234", "abcd", "abcl23", "asdf", "zxcv", "qazwsx",
        "lq2w3e", "nativeauth", "entra", "microsoft",
    ]
}
