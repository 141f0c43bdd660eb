// SPDX-License-Identifier: Apache-2.0

package import Wire

/// A setting that the tenant's owner may change: a row of a table that shows, reads and documents them all.
package struct Setting: Sendable {
    package typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

    /// What its values are.
    package enum Form: Sendable {
        /// A whole number; times are in seconds.
        case number(Path<Int>, ClosedRange<Int>)
        /// On or off.
        case choice(Path<Bool>)
        /// One of a few words.
        case word([String], shown: @Sendable (Settings) -> String, set: @Sendable (inout Settings, String) -> Void)
        /// A text, which may be empty.
        case text(Path<String>, TextRule)
        /// Texts; commas stand between them.
        case list(Path<[String]>, TextRule)
    }

    /// What a text has to be.
    package enum TextRule: Sendable {
        case any
        /// The address of a service: https, or http on this machine.
        case serviceURL
        /// An address, or a block of them.
        case addressBlock
        /// `smtp://HOST:PORT` or `smtps://HOST:PORT`.
        case mailServer
        /// A mail address, with or without a name before it.
        case mailSender
        /// The path of a file, from the root.
        case path
        /// One line without control characters.
        case line
        /// Where a script comes from, as browsers write it.
        case origin

        package func allows(_ text: String) -> Bool {
            switch self {
            case .any: true
            case .serviceURL: text.isEmpty || CalloutTarget(text) != nil
            case .addressBlock: NetworkBlock(text) != nil
            case .mailServer: text.isEmpty || MailServer(text) != nil
            case .mailSender: text.isEmpty || MailSender(text) != nil
            case .path: text.isEmpty || text.hasPrefix("/") && Self.isLine(text)
            case .line: Self.isLine(text)
            case .origin: Settings.canBe(origin: text)
            }
        }

        private static func isLine(_ text: String) -> Bool {
            text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
    }

    /// As `config set` takes it.
    package let name: String
    package let form: Form

    static func number(_ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>) -> Setting {
        Setting(name: name, form: .number(path, range))
    }

    /// A word of an enumeration.
    static func word<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ path: Path<Word>
    ) -> Setting {
        Setting(
            name: name,
            form: .word(
                Word.allCases.map(\.rawValue), shown: { $0[keyPath: path].rawValue },
                set: { settings, text in
                    if let word = Word(rawValue: text) { settings[keyPath: path] = word }
                }))
    }
}

extension Settings {
    /// A year, in seconds: more than anything lasts.
    static let longest = 365 * 86400
    private static let seconds = 1...longest

    /// Everything that can be set, in the order in which it is listed.
    package static var table: [Setting] {
        profiles + codes + flows + passwords + passwordRules + limits + tokens + switches + contacts + mail
    }

    private static var codes: [Setting] {
        [
            .number("code_length", \.codeLength, 6...10),
            .number("code_lifetime", \.codeLifetime, seconds),
            .number("code_attempts", \.codeAttempts, 1...100),
            .number("resend_interval", \.resendInterval, 0...86400),
            .number("resend_wait", \.resendWait, 0...86400),
            .number("codes_per_address", \.codesPerAddress, 1...1_000_000),
            .number("contacts_per_account", \.contactsPerAccount, 1...1_000_000),
            .number("code_window", \.codeWindow, seconds),
        ]
    }

    private static var flows: [Setting] {
        [
            .number("flow_lifetime", \.flowLifetime, seconds),
            .number("flow_maximum", \.flowMaximum, seconds),
            .number("requests_per_second", \.requestsPerSecond, 0...1_000_000),
        ]
    }

    private static var passwords: [Setting] {
        [
            .number("lock_threshold", \.lockThreshold, 1...100),
            .number("lock_duration", \.lockDuration, seconds),
            .number("polls_in_progress", \.pollsInProgress, 0...4),
            .number("poll_interval", \.pollInterval, 1...60),
        ]
    }

    private static var tokens: [Setting] {
        [
            .number("access_token_lifetime", \.accessTokenLifetime, seconds),
            .number("id_token_lifetime", \.idTokenLifetime, seconds),
            .number("refresh_token_lifetime", \.refreshTokenLifetime, seconds),
            .number("code_refresh_token_lifetime", \.codeRefreshTokenLifetime, seconds),
            .word("refresh_token_reuse", \.refreshTokenReuse),
            .number("key_rotation", \.keyRotation, 0...3650),
        ]
    }

    private static var switches: [Setting] {
        [
            Setting(name: "password_reset", form: .choice(\.passwordReset)),
            Setting(name: "alias_sign_in", form: .choice(\.aliasSignIn)),
            Setting(name: "no_redirect_is_invalid_request", form: .choice(\.noRedirectIsInvalidRequest)),
        ]
    }

    private static var contacts: [Setting] {
        [
            Setting(name: "cors_origins", form: .list(\.corsOrigins, .origin)),
            Setting(name: "blocked_contacts", form: .list(\.blockedContacts, .any)),
            Setting(name: "sms_command", form: .text(\.smsCommand, .any)),
            Setting(name: "sms_url", form: .text(\.smsURL, .serviceURL)),
        ]
    }
}

extension Settings {
    private static var mail: [Setting] {
        [
            Setting(name: "smtp_url", form: .text(\.smtpURL, .mailServer)),
            Setting(name: "smtp_user", form: .text(\.smtpUser, .line)),
            Setting(name: "smtp_password_file", form: .text(\.smtpPasswordFile, .path)),
            Setting(name: "smtp_from", form: .text(\.smtpFrom, .mailSender)),
            Setting(name: "smtp_ca_file", form: .text(\.smtpCAFile, .path)),
            .number("smtp_timeout", \.smtpTimeout, 1...300),
        ]
    }
}

// MARK: - Reading and showing

extension Setting {
    /// The change that a text means, by its owner's choice; nil for a text that is no value of this setting.
    package func change(to text: String) -> (@Sendable (inout Settings) -> Void)? {
        guard let change = meaning(of: text) else { return nil }
        // A profile chooses for others, and is chosen itself by being there.
        guard name != "profile" else { return change }
        return { [name] settings in
            change(&settings)
            if !settings.chosen.contains(name) { settings.chosen.append(name) }
        }
    }

    /// Sets a value that nobody chose.
    func write(_ text: String, to settings: inout Settings) { meaning(of: text)?(&settings) }

    private func meaning(of text: String) -> (@Sendable (inout Settings) -> Void)? {
        switch form {
        case .number(let path, let range):
            guard let number = Int(text), range.contains(number) else { return nil }
            return { $0[keyPath: path] = number }
        case .choice(let path):
            guard text == "on" || text == "off" else { return nil }
            return { $0[keyPath: path] = text == "on" }
        case .word(let words, _, let set):
            guard words.contains(text) else { return nil }
            return { set(&$0, text) }
        case .text(let path, let rule):
            guard rule.allows(text) else { return nil }
            return { $0[keyPath: path] = text }
        case .list(let path, let rule):
            let elements = text.split(separator: ",").map { String($0).trimmedBlanks }
            guard elements.allSatisfy(rule.allows) else { return nil }
            return { $0[keyPath: path] = elements }
        }
    }

    /// The value, as `change(to:)` takes it.
    package func text(in settings: Settings) -> String {
        switch form {
        case .number(let path, _): String(settings[keyPath: path])
        case .choice(let path): settings[keyPath: path] ? "on" : "off"
        case .word(_, let shown, _): shown(settings)
        case .text(let path, _): settings[keyPath: path]
        case .list(let path, _): settings[keyPath: path].joined(separator: ",")
        }
    }

    /// The value in JSON.
    package func json(in settings: Settings) -> JSONValue {
        switch form {
        case .number(let path, _): .integer(Int64(settings[keyPath: path]))
        case .choice(let path): .bool(settings[keyPath: path])
        case .word, .text: .string(text(in: settings))
        case .list(let path, _): .array(settings[keyPath: path].map { .string($0) })
        }
    }
}
