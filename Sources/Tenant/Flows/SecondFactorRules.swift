// SPDX-License-Identifier: Apache-2.0

import Wire

/// A sign-in whose first factor holds, and whose second one is due.
struct SecondFactorDraft: Sendable, Codable {
    var authentication: Authentication
    /// The method whose code is on its way.
    var method: String?
}

extension MultiFactorPolicy {
    /// Whether a proof is not enough.
    func applies(to authentication: Authentication) -> Bool {
        !channels(after: authentication).isEmpty
    }

    /// The ways of a second code. After a first code by mail, another mail would prove nothing new.
    func channels(after authentication: Authentication) -> [Channel] {
        if authentication.amr.contains(.password) { return channels }
        return afterCode ? channels.filter { $0 != .email } : []
    }
}

extension AppRegistration {
    /// The ways of a second code; none where the app wants no second factor.
    func channels(after authentication: Authentication) -> [Channel] {
        multiFactor?.channels(after: authentication) ?? []
    }
}

// MARK: - What the policy wants

extension IdentityProvider {
    /// Asks for a second factor, or for the registration of one; a client that cannot follow is sent to a browser.
    func strengthen(
        _ authentication: Authentication, _ policy: MultiFactorPolicy, _ connection: inout Connection
    ) throws -> Move {
        let isRegistered = try !methods(for: authentication, policy, &connection).isEmpty
        let capability: Capability = isRegistered ? .mfaRequired : .registrationRequired
        guard authentication.client.capabilities.contains(capability) else {
            return .browser("Client is missing \(capability.rawValue) capability")
        }
        return isRegistered
            ? .advance(.secondFactor(SecondFactorDraft(authentication: authentication)), .refusal(.mfaRequired))
            : .advance(
                .registration(RegistrationDraft(authentication: authentication)), .refusal(.registrationRequired))
    }

    /// The account's methods that the app's policy takes.
    func methods(
        for authentication: Authentication, _ policy: MultiFactorPolicy?, _ connection: inout Connection
    ) throws -> [StoredMethod] {
        let channels = policy?.channels(after: authentication) ?? []
        return try methods(of: authentication.account, &connection).filter { channels.contains($0.contact.channel) }
    }
}

// MARK: - introspect, challenge, token

extension IdentityProvider {
    func introspect(_ call: SignIn.Introspect, _ exchange: Exchange) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            guard case .secondFactor(let draft) = flow.state else { return .refuse(.unusableToken) }
            if let end = try end(of: draft.authentication, &connection) { return end }
            let methods = try methods(for: draft.authentication, flow.app.multiFactor, &connection)
            // The owner may have changed the policy, or the account, a moment ago.
            guard !methods.isEmpty else { return .browser() }
            return .advance(.secondFactor(draft), .reply(Methods(methods: methods.map(\.wire))))
        }
    }

    /// Sends a code by the method that the client names, by the one that it named before, or by the only one there is.
    func secondFactor(
        _ draft: SecondFactorDraft, id: String?, _ flow: Flow, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Move {
        if let end = try end(of: draft.authentication, &connection) { return end }
        let methods = try methods(for: draft.authentication, flow.app.multiFactor, &connection)
        guard let id = id ?? draft.method ?? (methods.count == 1 ? methods.first?.id : nil) else {
            return .refuse(.methodNotNamed)
        }
        guard let method = methods.first(where: { $0.id == id }) else { return .refuse(.unknownMethod) }
        guard !method.contact.isCovered(by: settings.blockedContacts) else { return .refuse(.contactBlocked) }
        var draft = draft
        draft.method = method.id
        let reply = try sendCode(.secondFactor, to: method.contact, flow, exchange, &connection)
        return .advance(.secondFactor(draft), .reply(reply))
    }

    func redeem(
        code: String, _ draft: SecondFactorDraft, _ grant: Grant, _ call: SignIn.Token, _ flow: Flow,
        _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Move {
        if let end = try end(of: draft.authentication, &connection) { return end }
        let methods = try methods(for: draft.authentication, flow.app.multiFactor, &connection)
        guard let method = methods.first(where: { $0.id == draft.method }) else { return .refuse(.unusableToken) }
        guard try redeem(code, .secondFactor, of: method.contact, flow, exchange, &connection) else {
            return .refuse(.wrongCode)
        }
        var authentication = draft.authentication
        authentication.prove(method.contact)
        return try proceed(authentication, grant, call, flow, exchange, &connection)
    }
}

extension Authentication {
    /// Takes a second proof to the first.
    mutating func prove(_ contact: Contact) {
        let proof: AuthenticationMethod = contact.channel == .sms ? .textMessage : .code
        if !amr.contains(proof) { amr.append(proof) }
        if !amr.contains(.several) { amr.append(.several) }
    }
}
