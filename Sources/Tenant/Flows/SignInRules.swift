// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// A sign-in that is under way.
struct SignInDraft: Sendable, Codable {
    enum Stage: String, Sendable, Codable {
        case opened
        case codeSent
        case passwordWanted
    }

    var stage = Stage.opened
    var account: String
    var challengeTypes: Words<ChallengeType>
}

extension IdentityProvider {
    func signInInitiate(_ call: SignIn.Initiate, _ exchange: Exchange) throws -> Answer {
        try check(call.challengeType)
        return try database.transaction { connection in
            let app = try app(call.clientId, &connection)
            guard try userFlow(of: app, &connection) != nil else {
                return try exchange.answer(Continuation(challengeType: .redirect))
            }
            guard let username = EmailAddress(call.username) else { throw Refusal.missing("username") }
            guard let account = try account(named: username, &connection) else { throw Refusal.userUnknown }
            let draft = SignInDraft(account: account.id, challengeTypes: call.challengeType)
            return try open(.signIn(draft), app: app, exchange, &connection)
        }
    }

    /// An account with a password proves itself by it, any other by a code; what the client cannot do needs a browser.
    func signInChallenge(_ call: SignIn.Challenge, _ exchange: Exchange) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            guard case .signIn(var draft) = flow.state else { return .refuse(.unusableToken) }
            guard let account = try account(draft.account, &connection) else { return .refuse(.userUnknown) }
            let type: ChallengeType = account.password == nil ? .oob : .password
            guard draft.challengeTypes.contains(type) else {
                return .finish(.challenge(ChallengeReply(challengeType: .redirect)))
            }
            if type == .password {
                draft.stage = .passwordWanted
                return .advance(.signIn(draft), .challenge(ChallengeReply(challengeType: .password)))
            }
            draft.stage = .codeSent
            let reply = try sendCode(.signIn, to: account.username, flow: flow, exchange, &connection)
            return .advance(.signIn(draft), .challenge(reply))
        }
    }
}

// MARK: - token

extension IdentityProvider {
    func token(_ call: SignIn.Token, _ exchange: Exchange) throws -> Answer {
        // Before anything that can be used once is used up.
        guard let grant = Grant(call.scope?.elements ?? []) else { throw Refusal.unknownScope }
        switch call.grantType {
        case .refreshToken:
            guard let secret = call.refreshToken else { throw Refusal.missing("refresh_token") }
            return try refresh(secret, grant, call, exchange)
        case .password:
            guard let password = call.password else { throw Refusal.missing("password") }
            return try redeem(password: password, grant, call, exchange)
        case .oob:
            guard let code = call.oob else { throw Refusal.missing("oob") }
            return try redeem(call, exchange) { connection, flow in
                guard case .signIn(let draft) = flow.state, draft.stage == .codeSent else {
                    return .refuse(.unusableToken)
                }
                guard try redeem(code: code, flow: flow, exchange, &connection) else { return .refuse(.wrongCode) }
                return try tokens(for: draft.account, grant, call, exchange, &connection)
            }
        case .continuationToken:
            return try redeem(call, exchange) { connection, flow in
                guard case .redeemable(let id) = flow.state else { return .refuse(.unusableToken) }
                guard let account = try account(id, &connection) else { return .refuse(.userUnknown) }
                if let username = call.username, EmailAddress(username)?.key != account.username.key {
                    return .refuse(.wrongUsername)
                }
                return try tokens(for: id, grant, call, exchange, &connection)
            }
        default:
            throw Refusal.unknownGrant
        }
    }

    /// Checks the password outside of any transaction, and counts the result inside one.
    private func redeem(
        password: String, _ grant: Grant, _ call: SignIn.Token, _ exchange: Exchange
    ) throws -> Answer {
        guard let token = call.continuationToken else { throw Refusal.missing("continuation_token") }
        var verdict: (account: String, fits: Bool)?
        if case .signIn(let draft)? = try peek(token, clientID: call.clientId, exchange),
            draft.stage == .passwordWanted,
            let account = try database.transaction({ connection in try account(draft.account, &connection) }),
            let hash = account.password, account.lockedUntil <= exchange.seconds
        {
            verdict = (account.id, hasher.verify(password, hash))
        }
        return try redeem(call, exchange) { connection, flow in
            guard case .signIn(let draft) = flow.state, draft.stage == .passwordWanted else {
                return .refuse(.unusableToken)
            }
            // The account may have been locked by others while the hash was computed.
            guard let account = try account(draft.account, &connection) else { return .refuse(.userUnknown) }
            guard account.lockedUntil <= exchange.seconds, let verdict, verdict.account == account.id else {
                return .refuse(.locked)
            }
            guard verdict.fits else {
                try countFailure(password, of: account, exchange, &connection)
                return .refuse(.wrongPassword)
            }
            try clearFailures(of: account, &connection)
            return try tokens(for: account.id, grant, call, exchange, &connection)
        }
    }

    private func redeem(
        _ call: SignIn.Token, _ exchange: Exchange, _ body: (inout Connection, Flow) throws -> Move
    ) throws -> Answer {
        guard let token = call.continuationToken else { throw Refusal.missing("continuation_token") }
        return try step(token, clientID: call.clientId, exchange, body)
    }

    private func tokens(
        for id: String, _ grant: Grant, _ call: SignIn.Token, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Move {
        guard let account = try account(id, &connection) else { return .refuse(.userUnknown) }
        let session = try openSession(account, grant, clientID: call.clientId, exchange, &connection)
        return .finish(.tokens(try issue(for: account, session, grant, call, exchange)))
    }
}
