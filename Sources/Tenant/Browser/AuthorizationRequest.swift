// SPDX-License-Identifier: Apache-2.0

import Wire

/// How the answer of the authorization endpoint is brought to the app.
enum ResponseMode: String, Sendable, Codable, CaseIterable {
    case query
    /// Never sent to a server (OAuth 2.0 Multiple Response Type Encoding Practices, section 2).
    case fragment
    /// As a form (OAuth 2.0 Form Post Response Mode); without scripts a person presses its button.
    case formPost = "form_post"
}

/// What the app wants of the person (OpenID Connect Core 1.0, section 3.1.2.1; Initiating User Registration 1.0).
enum Prompt: String, Sendable, Codable, CaseIterable {
    case none
    case login
    case selectAccount = "select_account"
    case consent
    case create
}

/// Who asks, and where the answer goes: what has to be certain before anything is sent there.
struct AuthorizationAsker: Sendable, Codable, Equatable {
    var clientID: String
    var redirect: String
    var mode: ResponseMode
    var state: String?

    /// - Throws: Why nothing is sent anywhere; a person is told.
    init(_ form: Form, of app: AppRegistration) throws(Refusal) {
        guard let redirect = form.value("redirect_uri") else { throw .missing("redirect_uri") }
        guard RedirectAddress.isRegistered(redirect, among: app.redirects ?? []) else { throw .unknownRedirect }
        clientID = app.clientID.lowercased()
        self.redirect = redirect
        mode = form.value("response_mode").flatMap(ResponseMode.init) ?? .query
        state = form.value("state")
    }
}

/// What an app asks of the authorization endpoint (RFC 6749, section 4.1.1; OpenID Connect Core 1.0, section 3.1.2.1).
struct AuthorizationRequest: Sendable, Codable, Equatable {
    var asker: AuthorizationAsker
    var wish: TokenWish
    /// S256 of the secret that the app keeps (RFC 7636, section 4.3).
    var challenge: String
    var prompt: Prompt?
    var hint: String?
    /// The request as it came, to begin again with.
    var query: String

    /// - Throws: What the app is told.
    init(_ form: Form, asker: AuthorizationAsker) throws(Refusal) {
        for (name, refusal) in Self.unsupported where form.value(name) != nil { throw refusal }
        guard let type = form.value("response_type") else { throw .missing("response_type") }
        guard type == "code" else { throw .onlyCodes }
        if let mode = form.value("response_mode"), ResponseMode(rawValue: mode) == nil {
            throw .malformed("response_mode")
        }
        challenge = try Self.challenge(form)
        prompt = try Self.prompt(form)
        guard let scope = form.value("scope") else { throw .missing("scope") }
        wish = try TokenWish(scope: scope, claims: form.value("claims"), nonce: form.value("nonce"))
        hint = form.value("login_hint")
        query = String(decoding: form.body, as: UTF8.self)
        self.asker = asker
    }

    /// What OpenID Connect Core 1.0, section 6, leaves to the provider.
    private static let unsupported: [(String, Refusal)] = [
        ("request", .unsupported(.requestNotSupported, "request")),
        ("request_uri", .unsupported(.requestUriNotSupported, "request_uri")),
        ("registration", .unsupported(.registrationNotSupported, "registration")),
    ]

    /// Every app proves that the one who exchanges the code is the one who asked (RFC 9700, section 2.1.1).
    private static func challenge(_ form: Form) throws(Refusal) -> String {
        guard let challenge = form.value("code_challenge") else { throw .missing("code_challenge") }
        guard form.value("code_challenge_method") == Authorization.challengeMethod else { throw .onlyS256 }
        guard challenge.utf8.count == 43, Base64URL.decode(challenge)?.count == 32 else {
            throw .malformed("code_challenge")
        }
        return challenge
    }

    private static func prompt(_ form: Form) throws(Refusal) -> Prompt? {
        let words = (form.value("prompt") ?? "").split(separator: " ").map(String.init)
        let prompts = words.compactMap(Prompt.init)
        guard prompts.count == words.count, !prompts.contains(.none) || prompts.count == 1 else {
            throw .malformed("prompt")
        }
        // Everybody signs in anew here, whatever else is asked for; but nobody can without a page.
        if prompts.contains(.none) { throw .loginRequired }
        return prompts.contains(.create) ? .create : prompts.first
    }
}

/// What tokens are asked for, until they are issued.
struct TokenWish: Sendable, Codable, Equatable {
    var scopes: [String]
    var claims: String?
    var nonce: String?

    init(scope: String, claims: String? = nil, nonce: String? = nil) throws(Refusal) {
        if let claims { _ = try ClaimsRequest(claims) }
        scopes = scope.split(separator: " ").map(String.init)
        self.claims = claims
        self.nonce = nonce
    }
}

extension Form {
    /// An empty parameter counts as absent (RFC 6749, section 3.1).
    func value(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

// MARK: - The answer

/// What is brought to the app.
struct AuthorizationResponse: Sendable, Equatable {
    let asker: AuthorizationAsker
    var parameters: [String: String]

    /// The answer names the issuer, so that no other can pass it off as its own (RFC 9207).
    private init(_ asker: AuthorizationAsker, issuer: String, _ parameters: [String: String]) {
        self.asker = asker
        self.parameters = parameters
        self.parameters["iss"] = issuer
        self.parameters["state"] = asker.state
    }

    init(code: String, to asker: AuthorizationAsker, issuer: String) {
        self.init(asker, issuer: issuer, ["code": code])
    }

    init(refusing refusal: Refusal, to asker: AuthorizationAsker, issuer: String) {
        var parameters = ["error": refusal.error.rawValue]
        parameters["error_description"] = refusal.errorDescription
        self.init(asker, issuer: issuer, parameters)
    }

    /// The redirect address with the parameters; what it had itself stays (RFC 6749, section 3.1.2).
    var location: String {
        let pairs = String(decoding: Form(parameters).body, as: UTF8.self)
        switch asker.mode {
        case .fragment: return asker.redirect + "#" + pairs
        case .query, .formPost: return asker.redirect + (asker.redirect.contains("?") ? "&" : "?") + pairs
        }
    }
}
