// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Wire

/// An account that is being made.
struct SignUpDraft: Sendable, Codable {
    enum Stage: String, Sendable, Codable {
        case opened
        case codeSent
        case passwordMissing
        case attributesMissing
    }

    var stage = Stage.opened
    var username: EmailAddress
    var client: ClientAbilities
    var userFlow: UserFlow
    /// The hash, if a password was chosen.
    var password: String?
    var attributes: [String: JSONValue]
    /// The page of attributes that was asked for last.
    var page: Int?
    /// Whether the extension that hears of the first page has been asked.
    var collectionHasBegun: Bool?
    /// Whether the address has an account already, which nobody but its owner is told.
    var isDecoy: Bool?
}

// MARK: - start

extension IdentityProvider {
    func signUpStart(_ call: SignUp.Start, _ exchange: Exchange) throws -> Answer {
        guard let username = EmailAddress(call.username) else { throw Refusal.missing("username") }
        try check(call.challengeType)
        try admit(name: username.key, exchange)
        let (app, flow): (AppRegistration, UserFlow?) = try database.transaction { connection in
            let app = try self.app(call.clientId, &connection)
            return (app, try userFlow(of: app, &connection))
        }
        guard let userFlow = flow, call.challengeType.contains(.oob),
            userFlow.method == .code || call.challengeType.contains(.password)
        else { return try exchange.answer(Continuation(challengeType: .redirect, redirectReason: nil)) }

        let attributes = try userFlow.values(call.attributes?.values ?? [:])
        // A user flow with codes alone has no use for a password, and ignores it.
        let password = try userFlow.method == .password ? call.password.map { try hash($0, username) } : nil
        return try database.transaction { connection in
            let isTaken = try account(named: username, &connection) != nil
            guard !isTaken || isDiscreet else { throw Refusal.userExists }
            let draft = SignUpDraft(
                username: username, client: ClientAbilities(call.challengeType, call.capabilities), userFlow: userFlow,
                password: password, attributes: attributes, isDecoy: isTaken ? true : nil)
            return try open(.signUp(draft), app: app, exchange, &connection)
        }
    }

    /// The password's hash, if the rules allow it. Slow, so never inside a transaction.
    func hash(_ password: String, _ username: EmailAddress) throws -> String {
        try hash(Password(password), username)
    }

    func hash(_ password: Password, _ username: EmailAddress) throws -> String {
        if let refusal = try passwordRules().refusal(of: password, username: username) { throw refusal }
        guard let hash = try hasher.hash(password) else { throw StoreError(code: 0, message: "out of memory") }
        return hash
    }

    /// What the tenant demands of passwords.
    private func passwordRules() throws -> PasswordRules {
        var rules = PasswordRules(
            minimum: settings.passwordMinimum, kinds: settings.passwordKinds, takesUnicode: settings.passwordUnicode)
        if settings.profile == .strict {
            rules.words = .all
            rules.own = [settings.name, "nativeauth"]
        }
        // Where no app takes a password alone, a shorter one does (NIST SP 800-63B, section 3.1.1.2).
        if rules.minimum > Self.minimumWithSecondFactor, try apps().allSatisfy({ $0.multiFactor != nil }) {
            rules.minimum = Self.minimumWithSecondFactor
        }
        return rules
    }

    private static let minimumWithSecondFactor = 8
}

// MARK: - challenge

extension IdentityProvider {
    func signUpChallenge(_ call: SignUp.Challenge, _ exchange: Exchange) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            guard case .signUp(var draft) = flow.state else { return .refuse(.unusableToken) }
            switch draft.stage {
            case .opened, .codeSent:
                draft.stage = .codeSent
                let reply = try sendCode(
                    .signUp, to: .email(draft.username), flow, delivering: draft.isDecoy == true ? .notice : .code,
                    exchange, &connection)
                return .advance(.signUp(draft), .reply(reply))
            case .passwordMissing:
                return .advance(.signUp(draft), .reply(ChallengeReply(challengeType: .password)))
            case .attributesMissing:
                return .refuse(.unusableToken)
            }
        }
    }
}

// MARK: - continue

extension IdentityProvider {
    func signUpContinue(_ call: SignUp.Continue, _ exchange: Exchange) throws -> Answer {
        switch call.grantType {
        case .oob:
            guard let code = call.oob else { throw Refusal.missing("oob") }
            return try signUp(call, exchange) { connection, draft, flow in
                guard draft.stage == .codeSent else { return .unusableToken }
                guard try redeem(code, .signUp, of: .email(draft.username), flow, exchange, &connection) else {
                    return .wrongCode
                }
                return nil
            }
        case .password:
            guard let password = call.password else { throw Refusal.missing("password") }
            // Hashing is slow, so it is done for a flow that waits for it, and outside the transaction.
            guard case .signUp(let draft)? = try peek(call.continuationToken, clientID: call.clientId, exchange),
                draft.stage == .passwordMissing
            else {
                return try signUp(call, exchange) { _, _, _ in .unusableToken }
            }
            let hash = try hash(password, draft.username)
            return try signUp(call, exchange) { _, draft, _ in
                guard draft.stage == .passwordMissing else { return .unusableToken }
                draft.password = hash
                return nil
            }
        case .attributes:
            guard let attributes = call.attributes else { throw Refusal.missing("attributes") }
            return try signUp(call, exchange) { _, draft, _ in
                guard draft.stage != .passwordMissing else { return .unusableToken }
                draft.attributes.merge(try draft.userFlow.values(attributes.values)) { $1 }
                return nil
            }
        default:
            throw Refusal.unknownFlowGrant
        }
    }

    /// Runs a step that completes the draft a little further.
    ///
    /// - Parameter change: Puts what was submitted into the draft, or says why not.
    private func signUp(
        _ call: SignUp.Continue, _ exchange: Exchange,
        _ change: (inout Connection, inout SignUpDraft, Flow) throws -> Refusal?
    ) throws -> Answer {
        try step(call.continuationToken, clientID: call.clientId, exchange) { connection, flow in
            guard case .signUp(var draft) = flow.state else { return .refuse(.unusableToken) }
            if let refusal = try change(&connection, &draft, flow) { return .refuse(refusal) }
            if call.grantType == .attributes, draft.stage == .opened || draft.stage == .codeSent {
                return .advance(.signUp(draft), .refusal(.verificationRequired))
            }
            return try next(draft, flow, isPage: call.grantType == .attributes, exchange, &connection)
        }
    }

    /// What a draft with a verified address still lacks; when it lacks nothing, the account is made.
    private func next(
        _ draft: SignUpDraft, _ flow: Flow, isPage: Bool, _ exchange: Exchange, _ connection: inout Connection
    ) throws -> Move {
        var draft = draft
        if draft.userFlow.method == .password, draft.password == nil {
            draft.stage = .passwordMissing
            return .advance(.signUp(draft), .refusal(.credentialRequired))
        }
        if let move = try beginCollection(&draft, flow, exchange, &connection) { return move }
        if let (page, asked) = draft.userFlow.nextPage(having: draft.attributes, askedBefore: draft.page) {
            draft.stage = .attributesMissing
            draft.page = page
            return .advance(.signUp(draft), .refusal(.attributesRequired(asked)))
        }
        // Another sign-up may have been faster; then this one is over, for its code is used up.
        guard try account(named: draft.username, &connection) == nil else { return .finish(.refusal(.userExists)) }
        if let move = try endCollection(&draft, flow, isPage: isPage, exchange, &connection) { return move }
        guard let account = try createAccount(draft, exchange, &connection) else {
            return .finish(.refusal(.userExists))
        }
        let authentication = Authentication(
            of: account, client: draft.client, amr: [draft.password == nil ? .code : .password],
            provenMail: draft.username)
        return .advance(.redeemable(authentication), .continuation)
    }
}
