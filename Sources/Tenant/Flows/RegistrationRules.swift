// SPDX-License-Identifier: Apache-2.0

import Wire

/// A sign-in that goes on when the account has a strong method.
struct RegistrationDraft: Sendable, Codable {
    enum Stage: Sendable, Codable {
        case required
        case codeSent(Contact)
        /// The contact was proven earlier in the same flow.
        case proven(Contact)
    }

    var authentication: Authentication
    var stage = Stage.required
}

extension IdentityProvider {
    func registerIntrospect(_ call: Register.Introspect, _ exchange: Exchange) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            guard case .registration(let draft) = flow.state else { return .refuse(.unusableToken) }
            if let end = try end(of: draft, flow, &connection) { return end }
            guard let account = try account(draft.authentication.account, &connection) else {
                return .refuse(.userUnknown)
            }
            let channels = flow.app.channels(after: draft.authentication)
            guard !channels.isEmpty else { return .browser() }
            let methods = channels.map { channel in
                Methods.Method(
                    id: channel.rawValue, challengeType: .oob, challengeChannel: channel,
                    loginHint: channel == .email ? account.username.text : nil)
            }
            return .advance(.registration(draft), .reply(Methods(methods: methods)))
        }
    }

    func registerChallenge(_ call: Register.Challenge, _ exchange: Exchange) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            guard case .registration(var draft) = flow.state else { return .refuse(.unusableToken) }
            if let end = try end(of: draft, flow, &connection) { return end }
            guard call.challengeType == .oob else { return .refuse(.unknownChallengeType) }
            guard let contact = Contact(call.challengeTarget),
                contact.channel == call.challengeChannel ?? contact.channel
            else { return .refuse(.badContact) }
            let channels = flow.app.channels(after: draft.authentication)
            guard channels.contains(contact.channel) else { return .refuse(.channelOff) }
            guard !contact.isCovered(by: settings.blockedContacts) else { return .refuse(.contactBlocked) }
            if case .email(let address) = contact, address.key == draft.authentication.provenMail?.key {
                draft.stage = .proven(contact)
                return .advance(.registration(draft), .reply(ChallengeReply(challengeType: .preverified)))
            }
            draft.stage = .codeSent(contact)
            var reply = try sendCode(.registration, to: contact, flow, exchange, &connection)
            reply.challengeTargetLabel = nil
            reply.challengeTarget = contact.text
            return .advance(.registration(draft), .reply(reply))
        }
    }

    func registerContinue(_ call: Register.Continue, _ exchange: Exchange) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            guard case .registration(let draft) = flow.state else { return .refuse(.unusableToken) }
            if let end = try end(of: draft, flow, &connection) { return end }
            switch (call.grantType, draft.stage) {
            case (.oob, .codeSent(let contact)):
                guard let code = call.oob else { throw Refusal.missing("oob") }
                guard try redeem(code, .registration, of: contact, flow, exchange, &connection) else {
                    return .refuse(.wrongCode)
                }
                return try finish(draft, with: contact, flow, exchange, &connection)
            case (.continuationToken, .proven(let contact)):
                return try finish(draft, with: contact, flow, exchange, &connection)
            case (.oob, _), (.continuationToken, _):
                return .refuse(.unusableToken)
            default:
                return .refuse(.unknownFlowGrant)
            }
        }
    }

    /// The end of a registration whose proof does not count any more, or that comes too late: who has a strong method
    /// proves it, and does not register another one instead.
    private func end(of draft: RegistrationDraft, _ flow: Flow, _ connection: inout Connection) throws -> Move? {
        if let end = try end(of: draft.authentication, &connection) { return end }
        let methods = try methods(for: draft.authentication, flow.app.multiFactor, &connection)
        return methods.isEmpty ? nil : .finish(.refusal(.expiredToken))
    }

    /// The method is the account's from now on, and has just been used.
    private func finish(
        _ draft: RegistrationDraft, with contact: Contact, _ flow: Flow, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws -> Move {
        // The owner may have switched the way off meanwhile; the code is used up all the same.
        let channels = flow.app.channels(after: draft.authentication)
        guard channels.contains(contact.channel) else { return .finish(.refusal(.channelOff)) }
        try register(contact, for: draft.authentication.account, at: exchange.seconds, &connection)
        var authentication = draft.authentication
        authentication.prove(contact)
        return .advance(.redeemable(authentication), .continuation)
    }
}
