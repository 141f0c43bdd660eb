// SPDX-License-Identifier: Apache-2.0

import Wire

/// A password reset that is under way.
struct ResetDraft: Sendable, Codable {
    enum Stage: Sendable, Codable {
        case opened
        case codeSent(Contact)
        case verified
        /// The password is set; the client has looked this often. It may think better of the password all the same.
        case submitted(polls: Int)
    }

    var stage = Stage.opened
    var account: String
    /// The password that is to be replaced, by its number; another reset in between ends this one.
    var generation: Int64
    var client: ClientAbilities
    /// The address that the code proved.
    var provenMail: EmailAddress?
    /// What is there instead of an account.
    var decoy: Decoy?
    /// What a client is told about the way of the code; nil for where it goes.
    var label: String?

    var passwordIsDue: Bool {
        switch stage {
        case .opened, .codeSent: false
        case .verified, .submitted: true
        }
    }
}

// MARK: - start, challenge, continue

extension IdentityProvider {
    func resetStart(_ call: ResetPassword.Start, _ exchange: Exchange) throws -> Answer {
        try check(call.challengeType)
        try admit(name: call.username, exchange)
        return try database.transaction { connection in
            let app = try app(call.clientId, &connection)
            guard let userFlow = try userFlow(of: app, &connection) else { return try exchange.browser() }
            var draft = ResetDraft(
                account: "", generation: 0, client: ClientAbilities(call.challengeType, call.capabilities),
                label: discreetLabel(for: call.username))
            switch try recoverable(call.username, userFlow, &connection) {
            case .account(let account):
                guard account.status.identityProvider == nil, call.challengeType.contains(.oob) else {
                    return try exchange.browser()
                }
                guard settings.passwordReset, account.password != nil else { throw Refusal.noRecovery }
                draft.account = account.id
                draft.generation = account.generation
            case .decoy(let decoy):
                guard call.challengeType.contains(.oob) else { return try exchange.browser() }
                guard settings.passwordReset else { throw Refusal.noRecovery }
                draft.decoy = decoy
            }
            return try open(.reset(draft), app: app, exchange, &connection)
        }
    }

    /// Whom a person means at a reset. Where nobody is told who has an account, nobody is told either who has one without
    /// a password of the tenant's.
    private func recoverable(_ name: String, _ userFlow: UserFlow, _ connection: inout Connection) throws -> Named {
        let named = try named(name, userFlow, &connection)
        guard isDiscreet, case .account(let account) = named,
            account.password == nil || account.status.identityProvider != nil
        else { return named }
        return .decoy(try decoy(for: name, userFlow))
    }

    func resetChallenge(_ call: ResetPassword.Challenge, _ exchange: Exchange) throws -> Answer {
        try reset(call.continuationToken, call.clientId, exchange) { connection, draft, account, flow in
            switch draft.stage {
            case .opened, .codeSent: break
            case .verified, .submitted: return .refuse(.unusableToken)
            }
            let contact = try recoveryContact(of: account, &connection)
            draft.stage = .codeSent(contact)
            var reply = try sendCode(
                .passwordReset, to: contact, flow, delivering: draft.decoy == nil ? .code : .nothing, exchange,
                &connection)
            if let label = draft.label { reply.challengeTargetLabel = label }
            return .advance(.reset(draft), .reply(reply))
        }
    }

    /// The account's address, unless a second one is registered: whoever has the first mailbox alone does not get in.
    private func recoveryContact(of account: StoredAccount, _ connection: inout Connection) throws -> Contact {
        let address = Contact.email(account.username)
        return try methods(of: account.id, &connection).map(\.contact)
            .first { $0.channel == .email && $0.key != address.key } ?? address
    }

    func resetContinue(_ call: ResetPassword.Continue, _ exchange: Exchange) throws -> Answer {
        guard call.grantType == .oob else { throw Refusal.unknownFlowGrant }
        guard let code = call.oob else { throw Refusal.missing("oob") }
        return try reset(call.continuationToken, call.clientId, exchange) { connection, draft, _, flow in
            guard case .codeSent(let contact) = draft.stage else { return .refuse(.unusableToken) }
            guard try redeem(code, .passwordReset, of: contact, flow, exchange, &connection) else {
                return .refuse(.wrongCode)
            }
            draft.stage = .verified
            if case .email(let address) = contact { draft.provenMail = address }
            // No client is told more than ten minutes.
            return .advance(.reset(draft), .reply(Continuation(expiresIn: min(600, settings.flowLifetime))))
        }
    }
}

// MARK: - submit, poll_completion

extension IdentityProvider {
    /// The old passwords and the new one are hashed outside of the transaction, which then looks whether it is still true
    /// what they were hashed for.
    func resetSubmit(_ call: ResetPassword.Submit, _ exchange: Exchange) throws -> Answer {
        var hashed: (account: StoredAccount, new: String)?
        if let change = try database.transaction({ connection in try passwordChange(call, exchange, &connection) }) {
            let password = Password(call.newPassword)
            let new = try hash(password, change.account.username)
            guard try !change.used.contains(where: { try hasher.verify(password, $0) }) else {
                throw Refusal.passwordRecentlyUsed
            }
            hashed = (change.account, new)
        }
        return try reset(call.continuationToken, call.clientId, exchange) { connection, draft, account, _ in
            guard draft.passwordIsDue, let hashed, hashed.account.id == account.id else {
                return .refuse(.unusableToken)
            }
            try replacePassword(of: account.id, with: hashed.new, &connection)
            if settings.passwordNotice {
                try notice(.passwordChanged, to: .email(account.username), exchange, &connection)
            }
            try audit(AuditEvent(.passwordReset, account: account.id), exchange, &connection)
            draft.generation += 1
            draft.stage = .submitted(polls: 0)
            return .advance(.reset(draft), .reply(ResetSubmitted(pollInterval: settings.pollInterval)))
        }
    }

    /// Whose password is to be replaced, and the passwords that it cannot be: those that the account has, or had not long
    /// ago. Whoever thinks better of the new password may take that again. All of it is read at one moment: the same request
    /// may be carried out at the same time, and what it makes is no former password. Nil where none is due.
    private func passwordChange(
        _ call: ResetPassword.Submit, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> (account: StoredAccount, used: [String])? {
        guard
            case .reset(let draft)? = try peek(
                call.continuationToken, clientID: call.clientId, exchange, &connection),
            draft.passwordIsDue, let account = try account(draft.account, &connection), !account.status.isDisabled
        else { return nil }
        guard settings.passwordHistory > 0 else { return (account, []) }
        var used = try formerPasswords(of: account.id, &connection)
        if case .verified = draft.stage, let current = account.password { used.insert(current, at: 0) }
        return (account, used)
    }

    /// The new password is there already; a client has to be ready to wait all the same. An account that has gone or was
    /// disabled meanwhile is what makes a reset fail.
    func resetPoll(_ call: ResetPassword.Poll, _ exchange: Exchange) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            guard case .reset(var draft) = flow.state, case .submitted(let polls) = draft.stage else {
                return .refuse(.unusableToken)
            }
            let account = try account(draft.account, &connection)
            guard account == nil || account?.generation == draft.generation else {
                return .finish(.refusal(.expiredToken))
            }
            guard polls >= settings.pollsInProgress else {
                draft.stage = .submitted(polls: polls + 1)
                return .remain(.reset(draft), .reply(ResetProgress(status: .inProgress)))
            }
            guard let account, !account.status.isDisabled else {
                // A client may submit a password again with the token that it has.
                draft.stage = .submitted(polls: 0)
                return .remain(.reset(draft), .reply(ResetProgress(status: .failed)))
            }
            let authentication = Authentication(
                of: account, client: draft.client, amr: [.password], provenMail: draft.provenMail)
            return .advance(.redeemable(authentication), .reply(ResetProgress(status: .succeeded)))
        }
    }

    private func reset(
        _ token: String, _ clientID: String, _ exchange: Exchange,
        _ body: (inout Connection, inout ResetDraft, StoredAccount, Flow) throws -> Move
    ) throws -> Answer {
        try step(token, clientID: clientID, exchange) { connection, flow in
            guard case .reset(var draft) = flow.state else { return .refuse(.unusableToken) }
            if let decoy = draft.decoy { return try body(&connection, &draft, decoy.account, flow) }
            guard let account = try account(draft.account, &connection) else { return .refuse(.userUnknown) }
            guard account.generation == draft.generation else { return .finish(.refusal(.expiredToken)) }
            guard !account.status.isDisabled else { return .refuse(.accountDisabled) }
            return try body(&connection, &draft, account, flow)
        }
    }
}
