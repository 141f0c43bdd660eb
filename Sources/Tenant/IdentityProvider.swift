// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// The tenant: rules over a database and a clock. It has no sockets; requests come as values and answers go as values.
package struct IdentityProvider: Sendable {
    let database: Database
    let vault: Vault
    let settings: Settings
    let signer: Signer
    let hasher: PasswordHasher
    let random: RandomSource
    /// Delivers a message, or throws and is asked again later.
    let deliver: @Sendable (CodeMessage) throws -> Void
    let now: @Sendable () -> Date
    let limiter = RequestLimiter()
    let callouts: Callouts
    let gate = FlowGate()
    /// Where the endpoints are, if not where the issuer's name points to: scheme, host and port.
    var servedOrigin: String?

    /// The same tenant, reached at another address. Its issuer's name stays what it was.
    package func served(at origin: String) -> IdentityProvider {
        var provider = self
        provider.servedOrigin = origin
        return provider
    }

    /// Answers a request. What the answer acknowledges is durable.
    package func answer(_ request: Request) -> Answer {
        let exchange = Exchange(request, id: random.uuid(), at: now())
        guard isWithinRate(exchange) else {
            return exchange.respond(429, Data("{}".utf8), ["retry-after": "1"])
        }
        do {
            return try route(exchange)
        } catch let refusal as Refusal {
            return exchange.answer(refusing: refusal)
        } catch let missing as MissingField {
            return exchange.answer(refusing: .missing(missing.name))
        } catch is FlowGate.Full {
            return exchange.answer(refusing: .busy, status: 503, headers: ["retry-after": "1"])
        } catch {
            // Never "no such user" for a failure.
            let refusal = Refusal.unavailable((error as? StoreError)?.reason)
            return exchange.answer(refusing: refusal, status: 503, headers: ["retry-after": "1"])
        }
    }

    private func isWithinRate(_ exchange: Exchange) -> Bool {
        guard settings.requestsPerSecond > 0, let address = exchange.request.address else { return true }
        return limiter.admits(address, at: exchange.seconds, limit: settings.requestsPerSecond)
    }

    /// Where a browser would be sent.
    private static let authorizationPath = "/oauth2/v2.0/authorize"

    private func route(_ exchange: Exchange) throws -> Answer {
        guard let path = exchange.path(in: settings) else {
            return exchange.answer(refusing: Refusal(.invalidRequest, description: "No such tenant."), status: 404)
        }
        switch path {
        case ProviderConfiguration.path: return try exchange.only("GET") { exchange.answer(document: description) }
        case KeySet.path: return try exchange.only("GET") { exchange.answer(document: signer.keySet) }
        case Self.authorizationPath:
            return try exchange.only("GET", "POST") {
                exchange.answer(refusing: .noBrowserSignIn)
            }
        case UserInfo.path: return try exchange.only("GET", "POST") { try userInfo(exchange) }
        case SignUp.Start.path: return try exchange.form(SignUp.Start.self, signUpStart)
        case SignUp.Challenge.path: return try exchange.form(SignUp.Challenge.self, signUpChallenge)
        case SignUp.Continue.path: return try exchange.form(SignUp.Continue.self, signUpContinue)
        case SignIn.Initiate.path: return try exchange.form(SignIn.Initiate.self, signInInitiate)
        case SignIn.Challenge.path: return try exchange.form(SignIn.Challenge.self, signInChallenge)
        case SignIn.Introspect.path: return try exchange.form(SignIn.Introspect.self, introspect)
        case SignIn.Token.path: return try exchange.form(SignIn.Token.self, token)
        case RevocationRequest.path: return try exchange.form(RevocationRequest.self, revoke)
        case ResetPassword.Start.path: return try exchange.form(ResetPassword.Start.self, resetStart)
        case ResetPassword.Challenge.path: return try exchange.form(ResetPassword.Challenge.self, resetChallenge)
        case ResetPassword.Continue.path: return try exchange.form(ResetPassword.Continue.self, resetContinue)
        case ResetPassword.Submit.path: return try exchange.form(ResetPassword.Submit.self, resetSubmit)
        case ResetPassword.Poll.path: return try exchange.form(ResetPassword.Poll.self, resetPoll)
        case Register.Introspect.path: return try exchange.form(Register.Introspect.self, registerIntrospect)
        case Register.Challenge.path: return try exchange.form(Register.Challenge.self, registerChallenge)
        case Register.Continue.path: return try exchange.form(Register.Continue.self, registerContinue)
        default:
            return exchange.answer(refusing: Refusal(.invalidRequest, description: "No such endpoint."), status: 404)
        }
    }

    private var description: ProviderConfiguration {
        let authority = "\(servedOrigin ?? settings.origin)/\(settings.tenantID)"
        var description = ProviderConfiguration(
            issuer: settings.issuer, tokenEndpoint: authority + SignIn.Token.path, jwksUri: authority + KeySet.path)
        // Required (OpenID Connect Discovery 1.0, section 3), and looked for by MSAL for Python.
        description.authorizationEndpoint = authority + Self.authorizationPath
        description.userinfoEndpoint = authority + UserInfo.path
        description.revocationEndpoint = authority + RevocationRequest.path
        description.revocationEndpointAuthMethodsSupported = ["none"]
        description.responseTypesSupported = []
        description.subjectTypesSupported = ["pairwise"]
        description.idTokenSigningAlgValuesSupported = ["RS256"]
        description.scopesSupported = Resource.userInfo.scopes
        description.claimsSupported = UserInfo.claims
        description.grantTypesSupported = [GrantType.refreshToken.rawValue]
        return description
    }
}

// MARK: - What every call checks

extension IdentityProvider {
    /// The app that calls, if it may.
    func app(_ clientID: String, _ connection: inout Connection) throws -> AppRegistration {
        let row = try connection.rows("SELECT definition FROM app WHERE client_id = ?", .text(clientID.lowercased()))
            .first
        guard let definition = row?.text(0) else { throw Refusal.unknownClient }
        let app = try JSONDecoder().decode(AppRegistration.self, from: Data(definition.utf8))
        guard app.isPublicClient else { throw Refusal.confidentialClient }
        guard app.nativeAuthentication else { throw Refusal.nativeAuthOff }
        return app
    }

    /// The user flow of an app; nil means that its users need a browser.
    func userFlow(of app: AppRegistration, _ connection: inout Connection) throws -> UserFlow? {
        guard let name = app.userFlow,
            let row = try connection.rows("SELECT definition FROM user_flow WHERE name = ?", .text(name)).first,
            let definition = row.text(0)
        else { return nil }
        return try JSONDecoder().decode(UserFlow.self, from: Data(definition.utf8))
    }

    /// A client's list has to be of known words and to hold `redirect`.
    func check(_ types: Words<ChallengeType>) throws(Refusal) {
        let known: [ChallengeType] = [.oob, .password, .redirect]
        guard types.elements.allSatisfy(known.contains) else { throw .unknownChallengeType }
        guard types.contains(.redirect) else {
            throw settings.noRedirectIsInvalidRequest ? .unknownChallengeType : .noRedirect
        }
    }
}
