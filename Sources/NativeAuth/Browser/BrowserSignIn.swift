// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
import Wire

/// A sign-in in the person's browser: the authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636; RFC 8252).
///
/// ```swift
/// let receiver = try LoopbackReceiver()
/// let signIn = try await client.signInInBrowser(redirect: receiver.address)
/// open(signIn.address)
/// let account = try await signIn.finish(with: receiver.answer(to: signIn))
/// ```
///
/// An app with a way of its own to receive redirects, as a scheme, uses that instead of the ``LoopbackReceiver``.
public struct BrowserSignIn: Sendable {
    /// Where the browser goes.
    public let address: String
    /// Where the tenant sends the browser to at the end.
    public let redirect: String
    /// What tells the answer to this sign-in from all others.
    let state: String

    private let verifier: String
    private let nonce: String
    private let scopes: [String]
    private let claims: ClaimsRequest?
    private let endpoints: BrowserEndpoints
    private let session: Session
    private let correlation: Correlation

    init(
        _ wish: BrowserWish, redirect: String, endpoints: BrowserEndpoints, authorization: String, session: Session,
        _ correlation: Correlation
    ) throws(AuthError) {
        self.redirect = redirect
        self.endpoints = endpoints
        self.session = session
        self.correlation = correlation
        scopes = wish.scopes
        claims = wish.claims
        verifier = Self.secret()
        nonce = Self.secret()
        state = Self.secret()
        guard let digest = SHA256.digest(of: verifier.utf8) else { throw AuthError(.refused) }
        var form = Form([
            "client_id": session.service.configuration.clientID, "response_type": "code", "redirect_uri": redirect,
            "response_mode": "query", "state": state, "nonce": nonce, "code_challenge": Base64URL.encode(digest),
            "code_challenge_method": Authorization.challengeMethod,
            "scope": Scope.requested(wish.scopes).map(\.rawValue).joined(separator: " "),
            "client-request-id": correlation.id,
        ])
        form["login_hint"] = wish.username
        form["prompt"] = wish.prompt?.rawValue
        form["claims"] = wish.claims?.field
        address =
            authorization + (authorization.contains("?") ? "&" : "?") + String(decoding: form.body, as: UTF8.self)
    }

    /// 256 random bits, in characters that a code verifier may have (RFC 7636, section 4.1).
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// Exchanges what the browser brought for tokens, and keeps them.
    ///
    /// - Parameter answer: The address that the browser was sent to, or what stands in it behind the question mark.
    /// - Returns: The account; its tokens are in the cache.
    /// - Throws: ``AuthError``: ``AuthError/Reason/refused`` with the tenant's words where the person or the tenant did not
    ///   want to, ``AuthError/Reason/unexpectedAnswer(_:)`` for an answer to another question, or of another tenant.
    public func finish(with answer: String) async throws(AuthError) -> Account {
        let code = try code(in: answer)
        var call = SignIn.Token(
            clientId: session.service.configuration.clientID, grantType: .authorizationCode,
            scope: Words(Scope.requested(scopes)), clientInfo: "1", claims: claims?.field)
        call.code = code
        call.redirectUri = redirect
        call.codeVerifier = verifier
        // A code is good once: sent again it would end what it led to.
        switch try await session.service.answer(call, correlation, at: endpoints.token, mayRepeat: false) {
        case .refusal(let refusal): throw AuthError(refusal)
        case .reply(let tokens):
            return try await session.begin(with: tokens, scopes: scopes, correlationID: correlation.id, nonce: nonce)
        }
    }

    /// The code in an answer that is to this question and of this tenant.
    private func code(in answer: String) throws(AuthError) -> String {
        let query = answer.split(separator: "?", maxSplits: 1).last.map { $0.prefix { $0 != "#" } } ?? ""
        guard let form = try? Form(body: Array(query.utf8)), form["state"] == state else {
            throw problem(.missing("state"))
        }
        guard form["iss"] == endpoints.issuer || (form["iss"] == nil && !endpoints.namesIssuer) else {
            throw problem(.otherTenant)
        }
        if let error = form["error"] {
            var refusal = Refusal(Refusal.Kind(rawValue: error), description: form["error_description"])
            refusal.correlationId = correlation.id
            refusal.errorCodes = refusal.errorDescription.flatMap(Self.number).map { [$0] }
            refusal.endpoint = Authorization.path
            throw AuthError(refusal)
        }
        guard let code = form["code"], !code.isEmpty else { throw problem(.missing("code")) }
        return code
    }

    private func problem(_ problem: AuthError.AnswerProblem) -> AuthError {
        AuthError(.unexpectedAnswer(problem), endpoint: Authorization.path, correlationID: correlation.id)
    }

    /// `AADSTS65004: …`: an answer in an address has no other place for the number.
    private static func number(in description: String) -> Int? {
        guard description.hasPrefix("AADSTS") else { return nil }
        return Int(description.dropFirst("AADSTS".count).prefix { $0.isNumber })
    }
}

/// What the first page in the browser shows.
public enum BrowserPrompt: String, Sendable, Hashable {
    /// The sign-in, even if the browser remembers somebody.
    case login
    /// A choice between the accounts that the browser remembers.
    case selectAccount = "select_account"
    /// The sign-up.
    case create
}

/// What a sign-in in a browser asks for.
struct BrowserWish: Sendable {
    var username: String?
    var scopes: [String]
    var claims: ClaimsRequest?
    var prompt: BrowserPrompt?
}

extension NativeAuthClient {
    /// Prepares a sign-in in the person's browser. The tenant's own description says where that goes.
    ///
    /// - Parameters:
    ///   - redirect: Where the tenant sends the browser to at the end: one of the addresses that are registered for the app.
    ///     A loopback address may have any port (RFC 8252, section 7.3).
    ///   - username: The address to be filled in, if it is known.
    ///   - scopes: The app's own scopes; `openid profile offline_access` are always asked for besides.
    ///   - claims: The claims that the tokens are to hold.
    ///   - prompt: What the first page shows; nil leaves it to the tenant.
    ///   - correlationID: The id of the conversation in the tenant's log; a new one by default.
    /// - Throws: ``AuthError`` with ``AuthError/Reason/unexpectedAnswer(_:)`` where the tenant signs nobody in in a browser,
    ///   and others where it is not reached.
    public func signInInBrowser(
        redirect: String, username: String? = nil, scopes: [String] = [], claims: ClaimsRequest? = nil,
        prompt: BrowserPrompt? = nil, correlationID: UUID? = nil
    ) async throws(AuthError) -> BrowserSignIn {
        let correlation = Correlation(correlationID)
        let endpoints = try await session.provider.browserEndpoints(correlationID: correlation.id)
        guard let authorization = endpoints.authorization else {
            throw AuthError(.unexpectedAnswer(.missing("authorization_endpoint")), correlationID: correlation.id)
        }
        return try BrowserSignIn(
            BrowserWish(username: username, scopes: scopes, claims: claims, prompt: prompt), redirect: redirect,
            endpoints: endpoints, authorization: authorization, session: session, correlation)
    }
}
