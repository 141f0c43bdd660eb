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
    var client: ClientAbilities
    /// What is there instead of an account.
    var decoy: Decoy?
    /// What a client is told about the way of a code; nil for the account's address.
    var label: String?
}

// MARK: - initiate, challenge

extension IdentityProvider {
    func signInInitiate(_ call: SignIn.Initiate, _ exchange: Exchange) throws -> Answer {
        try check(call.challengeType)
        try admit(name: call.username, exchange)
        return try database.transaction { connection in
            let app = try app(call.clientId, &connection)
            guard let userFlow = try userFlow(of: app, &connection) else { return try exchange.browser() }
            var draft = SignInDraft(
                account: "", client: ClientAbilities(call.challengeType, call.capabilities),
                label: discreetLabel(for: call.username))
            switch try named(call.username, userFlow, &connection) {
            case .account(let account):
                guard account.status.identityProvider == nil else { return try exchange.browser() }
                draft.account = account.id
            case .decoy(let decoy):
                draft.decoy = decoy
            }
            return try open(.signIn(draft), app: app, exchange, &connection)
        }
    }

    func signInChallenge(_ call: SignIn.Challenge, _ exchange: Exchange) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            switch flow.state {
            case .signIn(let draft): return try firstFactor(draft, flow, exchange, &connection)
            case .secondFactor(let draft): return try secondFactor(draft, id: call.id, flow, exchange, &connection)
            default: return .refuse(.unusableToken)
            }
        }
    }

    /// An account with a password proves itself by it, any other by a code; what the client cannot do needs a browser.
    private func firstFactor(
        _ draft: SignInDraft, _ flow: Flow, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Move {
        guard let account = try account(of: draft, &connection) else { return .refuse(.userUnknown) }
        let type: ChallengeType = account.password == nil ? .oob : .password
        guard draft.client.challengeTypes.contains(type) else { return .browser() }
        var draft = draft
        if type == .password {
            draft.stage = .passwordWanted
            return .advance(.signIn(draft), .reply(ChallengeReply(challengeType: .password)))
        }
        guard !account.status.isDisabled else { return .refuse(.accountDisabled) }
        draft.stage = .codeSent
        var reply = try sendCode(
            .signIn, to: .email(account.username), flow, delivering: draft.decoy == nil ? .code : .nothing, exchange,
            &connection)
        if let label = draft.label { reply.challengeTargetLabel = label }
        return .advance(.signIn(draft), .reply(reply))
    }
}

// MARK: - token

extension IdentityProvider {
    func token(_ call: SignIn.Token, _ exchange: Exchange) throws -> Answer {
        switch call.grantType {
        case .refreshToken:
            guard let secret = call.refreshToken else { throw Refusal.missing("refresh_token") }
            return try refresh(secret, call, exchange)
        case .authorizationCode: return try redeemAuthorizationCode(call, exchange)
        case .deviceCode: return try redeemDeviceCode(call, exchange)
        case .password:
            guard let password = call.password else { throw Refusal.missing("password") }
            return try redeem(password: password, call, exchange)
        case .oob, .mfaOOB:
            guard let code = call.oob else { throw Refusal.missing("oob") }
            return try redeem(call, exchange) { connection, flow, grant in
                try redeem(code: code, grant, call, flow, exchange, &connection)
            }
        case .continuationToken:
            return try redeem(call, exchange) { connection, flow, grant in
                guard case .redeemable(let authentication) = flow.state else { return .refuse(.unusableToken) }
                if let end = try end(of: authentication, &connection) { return end }
                let account = try account(authentication.account, &connection)
                if let username = call.username, account?.isNamed(username) != true { return .refuse(.wrongUsername) }
                return try proceed(authentication, grant, call, flow, exchange, &connection)
            }
        default:
            throw Refusal.unknownGrant
        }
    }

    /// A code is the first factor or the second one; where it is the second, both grants are understood.
    private func redeem(
        code: String, _ grant: Grant, _ call: SignIn.Token, _ flow: Flow, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws -> Move {
        switch flow.state {
        case .signIn(let draft) where draft.stage == .codeSent && call.grantType == .oob:
            guard let account = try account(of: draft, &connection) else { return .refuse(.userUnknown) }
            guard try redeem(code, .signIn, of: .email(account.username), flow, exchange, &connection) else {
                return .refuse(.wrongCode)
            }
            let authentication = Authentication(
                of: account, client: draft.client, amr: [.code], provenMail: account.username)
            return try proceed(authentication, grant, call, flow, exchange, &connection)
        case .secondFactor(let draft):
            return try redeem(code: code, draft, grant, call, flow, exchange, &connection)
        default:
            return .refuse(.unusableToken)
        }
    }

    /// Checks the password outside of any transaction, and counts the result inside one.
    private func redeem(password typed: String, _ call: SignIn.Token, _ exchange: Exchange) throws -> Answer {
        guard let token = call.continuationToken else { throw Refusal.missing("continuation_token") }
        let password = Password(typed)
        let verdict = try verdict(on: password, token, clientID: call.clientId, exchange)
        return try redeem(call, exchange) { connection, flow, grant in
            guard case .signIn(let draft) = flow.state, draft.stage == .passwordWanted else {
                return .refuse(.unusableToken)
            }
            try checkFailures(exchange, &connection)
            guard let account = try account(of: draft, &connection) else { return .refuse(.userUnknown) }
            // The account may have been locked by others while the hash was computed, or have got another password.
            guard account.lockedUntil <= exchange.seconds, let verdict, verdict.account == account.id else {
                try countWrongPassword(of: account, exchange, &connection)
                return .refuse(isDiscreet ? .wrongPassword : .locked)
            }
            guard verdict.fits, verdict.hash == account.password else {
                try countFailure(password, of: account, exchange, &connection)
                try countWrongPassword(of: account, exchange, &connection)
                return .refuse(.wrongPassword)
            }
            try clearFailures(of: account, &connection)
            if let better = verdict.better { try upgradePassword(of: account, to: better, &connection) }
            guard !account.status.mustChangePassword else { return .refuse(.passwordChangeRequired) }
            let authentication = Authentication(of: account, client: draft.client, amr: [.password])
            return try proceed(authentication, grant, call, flow, exchange, &connection)
        }
    }

    /// What came of a password.
    private struct Verdict {
        let account: String
        let hash: String
        let fits: Bool
        /// A hash of the same password that costs more, where that is asked by now.
        let better: String?
    }

    /// Looks at a password, in the time that it takes for every account, and for one that is not there; nil for a flow that
    /// waits for none, and for a closed account where everybody may know that it is.
    private func verdict(
        on password: Password, _ token: String, clientID: String, _ exchange: Exchange
    ) throws -> Verdict? {
        guard case .signIn(let draft)? = try peek(token, clientID: clientID, exchange),
            draft.stage == .passwordWanted,
            let account = try database.transaction({ connection in try account(of: draft, &connection) }),
            let hash = account.password, isDiscreet || account.lockedUntil <= exchange.seconds
        else { return nil }
        let fits = try hasher.verify(password, hash)
        let better = try fits && hasher.isOutdated(hash) ? hasher.hash(password) : nil
        return Verdict(account: account.id, hash: hash, fits: fits, better: better)
    }

    /// Runs a step of the token endpoint. What is asked for is looked at first, before a proof is used up.
    private func redeem(
        _ call: SignIn.Token, _ exchange: Exchange, _ body: (inout Connection, Flow, Grant) throws -> Move
    ) throws -> Answer {
        guard let token = call.continuationToken else { throw Refusal.missing("continuation_token") }
        return try step(token, clientID: call.clientId, exchange) { connection, flow in
            try body(&connection, flow, try grant(call, flow.app, &connection))
        }
    }

    /// What follows a proof that holds: tokens, or what the app's policy wants besides.
    func proceed(
        _ authentication: Authentication, _ grant: Grant, _ call: SignIn.Token, _ flow: Flow, _ exchange: Exchange,
        _ connection: inout Connection
    ) throws -> Move {
        let account: StoredAccount
        switch try owner(of: authentication, &connection) {
        case .success(let owner): account = owner
        // The proof is used up, so that a refusal ends the flow.
        case .failure(let refusal): return .finish(.refusal(refusal))
        }
        if authentication.isWeak, let policy = flow.app.multiFactor, policy.applies(to: authentication) {
            return try strengthen(authentication, policy, &connection)
        }
        // A browser gets no tokens but a code, which its app exchanges for them.
        if isInBrowser { return .advance(.redeemable(authentication), .continuation) }
        let session = try openSession(account, authentication, grant, clientID: call.clientId, exchange, &connection)
        let issue = TokenIssue(account: account, session: session, grant: grant, app: flow.app)
        return .finish(
            .tokens(try self.issue(issue, tellingClientInfo: call.clientInfo != nil, exchange, &connection)))
    }
}

extension IdentityProvider {
    /// The account that was proven, while the proof counts: it may be gone by now, be disabled, or have another password.
    func owner(of authentication: Authentication, _ connection: inout Connection) throws -> Result<
        StoredAccount, Refusal
    > {
        guard let account = try account(authentication.account, &connection) else { return .failure(.userUnknown) }
        guard account.generation == authentication.generation else { return .failure(.expiredToken) }
        guard !account.status.isDisabled else { return .failure(.accountDisabled) }
        return .success(account)
    }

    /// The end of a flow whose proof does not count any more.
    func end(of authentication: Authentication, _ connection: inout Connection) throws -> Move? {
        guard case .failure(let refusal) = try owner(of: authentication, &connection) else { return nil }
        return .finish(.refusal(refusal))
    }
}

extension Exchange {
    /// The answer that sends people to a browser before there is a flow.
    func browser() throws -> Answer {
        try answer(Continuation(challengeType: .redirect))
    }
}
