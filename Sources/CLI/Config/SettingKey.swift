// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth
import Wire

/// What `config.json` can say. All but ``profile`` belong to one profile.
enum SettingKey: String, CaseIterable {
    /// The profile that commands use unless --profile names another.
    case profile
    case authority
    case issuer
    case clientID = "client_id"
    case challengeTypes = "challenge_types"
    case capabilities
    case scopes
    case redirect = "redirect_uri"
    case credentialHosts = "credential_hosts"
    case storage

    /// One line about it.
    var summary: String {
        switch self {
        case .profile: "The profile that commands use unless --profile names another."
        case .authority: "The tenant's address, as https://contoso.ciamlogin.com."
        case .issuer: "Another OpenID provider's name, in place of a tenant's address."
        case .clientID: "The app's client id."
        case .challengeTypes: "What the app can do: \(words.joined(separator: ", "))."
        case .capabilities: "What the app can go on with: \(words.joined(separator: ", "))."
        case .scopes: "The scopes of a sign-in that names none."
        case .redirect: "The address for 'signin --browser' that is registered for the app, as http://localhost."
        case .credentialHosts: "The hosts that 'credential' answers for; http:// for this machine only."
        case .storage: "Where the tokens are: \(StorageChoice.words.map(\.word).joined(separator: ", "))."
        }
    }

    /// The words that a list may hold; none where any will do.
    private var words: [String] {
        switch self {
        case .challengeTypes: ["oob", "password"]
        case .capabilities: ["mfa_required", "registration_required"]
        default: []
        }
    }

    private var isList: Bool { [.challengeTypes, .capabilities, .scopes, .credentialHosts].contains(self) }

    /// Reads what was typed.
    func value(_ given: [String]) throws -> JSONValue {
        guard isList else {
            guard given.count == 1, let text = given.first, !text.isEmpty else {
                throw CommandFailure(.usage, "'\(rawValue)' takes one value.")
            }
            return .string(try checked(text))
        }
        let items = given.flatMap { $0.split { $0 == " " || $0 == "," }.map(String.init) }
        if let odd = items.first(where: { !words.isEmpty && !words.contains($0) }) {
            throw CommandFailure(
                .usage, "'\(odd.printable)' is none of \(words.joined(separator: ", ")).",
                hint: suggestion(for: odd, among: words).map { "Did you mean '\($0)'?" })
        }
        if self == .credentialHosts, let odd = items.first(where: { CredentialHost($0) == nil }) {
            throw CommandFailure(
                .usage, "'\(odd.printable)' is no host that may have a token.", hint: CredentialHost.spelling)
        }
        return .array(items.map { .string($0) })
    }

    private func checked(_ text: String) throws -> String {
        switch self {
        case .profile:
            guard Profile.isName(text) else { throw Profile.badName(text) }
            return text
        case .authority: return try Authority(named: text).description
        case .issuer: return try ProviderAddress.issuer(text).authority.description
        case .redirect:
            guard ["http://127.0.0.1", "http://localhost"].contains(where: text.hasPrefix) else {
                throw CommandFailure(
                    .usage, "'\(text.shownAddress)' is not on this machine: it has to be like http://localhost.")
            }
            return text
        case .storage:
            do throws(StorageChoice.Unknown) { return try StorageChoice(text).word } catch {
                throw CommandFailure(
                    .usage, "'\(text.printable)' is none of \(error.list).",
                    hint: suggestion(for: text, among: StorageChoice.words.map(\.word)).map { "Did you mean '\($0)'?" })
            }
        default: return text
        }
    }

    /// A value as `config get` prints it: one line for each item of a list.
    static func lines(_ value: JSONValue) -> [String] {
        if case .array(let items) = value { return items.map { $0.string ?? "" } }
        return [value.string ?? ""]
    }
}

extension Authority {
    /// An address, or the word that stands before `.ciamlogin.com` in it.
    init(named text: String) throws(CommandFailure) {
        do throws(Authority.Invalid) {
            self = text.contains("/") || text.contains(".") ? try Authority(text) : try Authority(subdomain: text)
        } catch {
            throw CommandFailure(.usage, error.sentence)
        }
    }
}
