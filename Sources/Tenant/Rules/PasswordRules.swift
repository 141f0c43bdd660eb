// SPDX-License-Identifier: Apache-2.0

import Wire

/// What a tenant demands of a password. The defaults are the service's: 8 to 256 characters of its alphabet, three of four
/// kinds, not made of words that are easy to guess.
struct PasswordRules: Sendable {
    /// In characters, as Unicode counts them.
    var minimum = 8
    static let maximum = 256
    /// Of lower-case letters, upper-case letters, digits and symbols.
    var kinds = 3
    /// Whether characters beyond ASCII are taken.
    var takesUnicode = false
    /// How a password is cut into words.
    var words = Words.few
    /// Words that are easy to guess at this tenant.
    var own: [String] = []

    enum Words: Sendable {
        /// As the service counts, with a short list.
        case few
        /// With every password that people choose, and their repetitions and combinations.
        case all
    }

    /// Why a password is refused; nil if it is not.
    func refusal(of password: Password, username: EmailAddress) -> Refusal? {
        let count = password.text.unicodeScalars.count
        if !(takesUnicode || password.isASCII) || !password.text.unicodeScalars.allSatisfy(isAllowed) {
            return Self.refuse(.passwordIsInvalid, 399_245, "The password has characters that are not allowed.")
        }
        if count < minimum {
            return Self.refuse(.passwordTooShort, 399_247, "The password has fewer than \(minimum) characters.")
        }
        if count > Self.maximum {
            return Self.refuse(.passwordTooLong, 399_248, "The password has more than \(Self.maximum) characters.")
        }
        if kinds > 1, Self.kinds(in: password.text) < kinds {
            return Self.refuse(
                .passwordTooWeak, 399_246,
                "The password needs \(Self.words[kinds]) of these: lower-case letters, upper-case letters, digits, symbols."
            )
        }
        if isEasilyGuessed(password.text, username) {
            return Self.refuse(.passwordBanned, 399_249, "The password is made of words that are too easy to guess.")
        }
        return nil
    }

    /// Of 0 to 4 kinds.
    private static let words = ["none", "one", "two", "three", "all"]

    private static func refuse(_ suberror: Refusal.Suberror, _ code: Int, _ text: String) -> Refusal {
        Refusal(.invalidGrant, suberror, description: text, codes: [code])
    }

    /// The service's alphabet is printable ASCII. Beyond it everything is taken that has a meaning and no effect: what no
    /// version of Unicode has assigned may be normalised otherwise one day.
    private func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard takesUnicode, !scalar.isASCII else { return (0x20...0x7E).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .unassigned: return false
        default: return true
        }
    }

    private static func kinds(in password: String) -> Int {
        let tests: [(Character) -> Bool] = [
            { $0.isASCII && $0.isLowercase }, { $0.isASCII && $0.isUppercase }, { $0.isASCII && $0.isNumber },
            { !$0.isLetter && !$0.isNumber },
        ]
        return tests.filter { password.contains(where: $0) }.count
    }

    private func isEasilyGuessed(_ password: String, _ username: EmailAddress) -> Bool {
        if CommonPasswords.contains(password) { return true }
        let local = String(username.key.prefix { $0 != "@" })
        switch words {
        case .few: return score(password, (own + [local]).map(Self.normalised)) < 5
        case .all:
            let parts = username.key.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            return CommonPasswords.points(of: password, own: own + [username.key, local] + parts) < 5
        }
    }

    /// One point for each banned word and for each character that belongs to none, after the usual substitutions are
    /// undone; five are needed. This is how Entra's password protection counts.
    private func score(_ password: String, _ own: [String]) -> Int {
        var rest = Self.normalised(password)
        var points = 0
        for word in (Self.common + own).sorted(by: { $0.count > $1.count }) where word.count >= 4 {
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
