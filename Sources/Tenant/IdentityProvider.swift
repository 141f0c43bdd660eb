// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
package import Wire

/// The tenant: rules over a database and a clock. It has no sockets; requests come as values and answers go as values.
package struct IdentityProvider: Sendable {
    package let database: Database
    let vault: Vault
    var settings: Settings
    let keys: SigningKeys
    var hasher: PasswordHasher
    let random: RandomSource
    /// Delivers a message, or throws and is asked again later.
    var deliver: @Sendable (CodeMessage) throws -> Void
    var now: @Sendable () -> Date
    let steadyTime: SteadyTime
    /// Nil but in test mode.
    package var aids: TestAids?
    let limiter = RequestLimiter()
    var callouts: Callouts
    let gate = FlowGate()
    let definitions = KnownDefinitions()
    /// Whether the flows are walked through in the tenant's own pages.
    var isInBrowser = false
    /// Where the endpoints are, if not where the issuer's name points to: scheme, host and port.
    var servedOrigin: String?
    /// Whose messages take a way that may be slow: no request waits for one.
    package var slowChannels: Set<Channel> = []
    /// Sees to it that spooled mail is on the disk; nil where each is before its answer.
    var settler: SpoolSettler?
    /// Told when there is something on a slow way.
    var ring: @Sendable () -> Void = {}
    /// Is told of every request that was answered.
    var observe: (@Sendable (Observation) -> Void)?
    /// Room for the end of sessions on a full disk; nil where nobody is served.
    var reserve: Reserve?

    /// The same tenant, reached at another address. Its issuer's name stays what it was.
    package func served(at origin: String) -> IdentityProvider {
        var provider = self
        provider.servedOrigin = origin
        return provider
    }

    /// The same tenant, whose slow messages somebody sends who is told of each.
    package func ringing(_ ring: @escaping @Sendable () -> Void) -> IdentityProvider {
        var provider = self
        provider.ring = ring
        return provider
    }

    /// The same tenant, watched by its server.
    package func observed(by observe: @escaping @Sendable (Observation) -> Void) -> IdentityProvider {
        var provider = self
        provider.observe = observe
        return provider
    }

    /// The same tenant, with room for the end of sessions.
    package func keeping(_ reserve: Reserve) -> IdentityProvider {
        var provider = self
        provider.reserve = reserve
        return provider
    }

    /// Whether the disk fails whatever is done about it. Nothing is acknowledged from then on.
    package var hasLostDisk: Bool { database.hasLostDisk }

    /// Answers a request. What the answer acknowledges is durable.
    package func answer(_ request: Request) -> Answer {
        let start = ContinuousClock.now
        let time = now()
        var exchange = Exchange(request, id: random.uuid(), at: time, seconds: seconds(at: time))
        exchange.address = client(of: exchange)?.text ?? request.address
        let answer = shared(checked(exchange), exchange)
        observe?(Observation(exchange, endpoint: endpoint(exchange), answer, took: ContinuousClock.now - start))
        return answer
    }

    private func checked(_ exchange: Exchange) -> Answer {
        if let preflight = preflight(exchange) { return preflight }
        guard isWithinRate(exchange) else {
            return exchange.respond(429, Data("{}".utf8), ["retry-after": "1"])
        }
        do {
            if let event = try tendKeys(at: exchange.seconds) { exchange.noted.add(event) }
        } catch {
            // The keys that there are serve on.
            exchange.noted.fail("the signing key cannot be replaced", error)
        }
        do {
            return try routeWithRoom(exchange)
        } catch let refusal as Refusal {
            auditRolledBack(refusal, exchange)
            return exchange.answer(refusing: refusal)
        } catch let missing as MissingField {
            return exchange.answer(refusing: .missing(missing.name))
        } catch let throttled as Throttled {
            return exchange.respond(429, Data("{}".utf8), ["retry-after": String(throttled.seconds)])
        } catch is HashQueue.Full {
            return exchange.answer(refusing: .overloaded, status: 503, headers: ["retry-after": "1"])
        } catch is UnknownCaller {
            return exchange.answer(refusing: UnknownCaller.refusal, status: 401, headers: UnknownCaller.headers)
        } catch is FlowGate.Full {
            return exchange.answer(refusing: .busy, status: 503, headers: ["retry-after": "1"])
        } catch {
            // Never "no such user" for a failure.
            exchange.noted.fail("the request cannot be carried out", error)
            let refusal = Refusal.unavailable((error as? StoreError)?.reason)
            return exchange.answer(refusing: refusal, status: 503, headers: ["retry-after": "1"])
        }
    }

    private func isWithinRate(_ exchange: Exchange) -> Bool {
        guard settings.requestsPerSecond > 0, let address = client(of: exchange) else { return true }
        return limiter.admits(address, at: exchange.seconds, limit: settings.requestsPerSecond)
    }

    /// A session can be ended on a full disk too, and public documents need no room. Everything else waits for some.
    private func routeWithRoom(_ exchange: Exchange) throws -> Answer {
        guard let reserve, exchange.request.method == "POST" else { return try route(exchange) }
        guard exchange.path(in: settings) == RevocationRequest.path else {
            guard reserve.leavesRoom else { throw StoreError.noRoom }
            return try route(exchange)
        }
        do {
            return try route(exchange)
        } catch let error as StoreError {
            guard error.reason == .diskFull, reserve.spend() else { throw error }
            return try route(exchange)
        }
    }

    private func route(_ exchange: Exchange) throws -> Answer {
        guard let path = exchange.path(in: settings) else {
            return exchange.answer(refusing: Refusal(.invalidRequest, description: "No such tenant."), status: 404)
        }
        switch path {
        case ProviderConfiguration.path: return try exchange.only("GET") { exchange.answer(document: description) }
        case KeySet.path:
            return try exchange.only("GET") { exchange.answer(document: keys.keySet(at: exchange.seconds)) }
        case Authorization.path: return try exchange.only("GET", "POST") { try authorize(exchange) }
        case Browser.stepPath: return try exchange.only("POST") { try browserStep(exchange) }
        case Browser.devicePath: return try exchange.only("GET") { try devicePage(exchange) }
        case DeviceAuthorization.Start.path: return try exchange.form(DeviceAuthorization.Start.self, deviceStart)
        case UserInfo.path: return try exchange.only("GET", "POST") { try userInfo(exchange) }
        case SignUp.Start.path: return try exchange.form(SignUp.Start.self, signUpStart)
        case SignUp.Challenge.path: return try exchange.form(SignUp.Challenge.self, signUpChallenge)
        case SignUp.Continue.path: return try exchange.form(SignUp.Continue.self, signUpContinue)
        case SignIn.Initiate.path: return try exchange.form(SignIn.Initiate.self, signInInitiate)
        case SignIn.Challenge.path: return try exchange.form(SignIn.Challenge.self, signInChallenge)
        case SignIn.Introspect.path: return try exchange.form { form in try introspect(form, exchange) }
        case SignIn.Token.path: return try exchange.form(SignIn.Token.self, token)
        case RevocationRequest.path: return try exchange.form(RevocationRequest.self, revoke)
        case Logout.path: return try exchange.only("GET", "POST") { try logout(exchange) }
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
        description.authorizationEndpoint = authority + Authorization.path
        description.deviceAuthorizationEndpoint = authority + DeviceAuthorization.Start.path
        description.userinfoEndpoint = authority + UserInfo.path
        description.revocationEndpoint = authority + RevocationRequest.path
        description.revocationEndpointAuthMethodsSupported = ["none"]
        description.introspectionEndpoint = authority + SignIn.Introspect.path
        description.introspectionEndpointAuthMethodsSupported = ["client_secret_basic", "client_secret_post"]
        description.endSessionEndpoint = authority + Logout.path
        description.responseTypesSupported = ["code"]
        description.responseModesSupported = ResponseMode.allCases.map(\.rawValue)
        description.codeChallengeMethodsSupported = [Authorization.challengeMethod]
        description.tokenEndpointAuthMethodsSupported = ["none"]
        description.promptValuesSupported = Prompt.allCases.map(\.rawValue)
        description.claimsParameterSupported = true
        description.requestParameterSupported = false
        description.requestUriParameterSupported = false
        description.authorizationResponseIssParameterSupported = true
        description.subjectTypesSupported = ["pairwise"]
        description.idTokenSigningAlgValuesSupported = ["RS256"]
        description.scopesSupported = Resource.userInfo.scopes
        description.claimsSupported = UserInfo.claims
        description.grantTypesSupported = [GrantType.authorizationCode, .refreshToken, .deviceCode].map(\.rawValue)
        return description
    }
}

// MARK: - What every call checks

extension IdentityProvider {
    /// The app that calls, if it may. In a browser there is no native authentication that could be off.
    func app(_ clientID: String, _ connection: inout Connection) throws -> AppRegistration {
        let app = try publicApp(clientID, &connection)
        guard app.nativeAuthentication || isInBrowser else { throw Refusal.nativeAuthOff }
        return app
    }

    /// The app that calls, however its users sign in.
    func publicApp(_ clientID: String, _ connection: inout Connection) throws -> AppRegistration {
        guard let app = try registration(clientID, &connection) else { throw Refusal.unknownClient }
        guard app.isPublicClient else { throw Refusal.confidentialClient }
        return app
    }

    /// An app, whoever asks.
    func registration(_ clientID: String, _ connection: inout Connection) throws -> AppRegistration? {
        let key = clientID.lowercased()
        return try connection.rows("SELECT definition FROM app WHERE client_id = ?", .text(key)).first?.text(0)
            .map { try definitions.read(AppRegistration.self, key: key, $0) }
    }

    /// The user flow of an app; nil means that its users need a browser.
    func userFlow(of app: AppRegistration, _ connection: inout Connection) throws -> UserFlow? {
        guard let name = app.userFlow,
            let row = try connection.rows("SELECT definition FROM user_flow WHERE name = ?", .text(name)).first,
            let definition = row.text(0)
        else { return nil }
        return try definitions.read(UserFlow.self, key: name, definition)
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
