// SPDX-License-Identifier: Apache-2.0

import Wire

/// What a submitted page leads to.
enum BrowserOutcome {
    /// Another page, or the same one with what was wrong.
    case show(BrowserStep, BrowserProblem?)
    /// Somebody has proven to be whoever they say; the token leads to the proof.
    case proven(String)
    case cancelled
    /// The person has to begin again.
    case over(BrowserProblem)
}

/// Why a page is shown again, or is the last one.
enum BrowserProblem: Equatable {
    case refused(Refusal)
    case tooOften(seconds: Int64)
    case noAddress
    case noCode
    case noChoice
    case noMatch
    /// Attributes without which it does not go on.
    case missing([String])
    case wrongDeviceCode
    /// Only somebody else's page could go on.
    case elsewhere
    case failed
}

/// A submitted page, and where it belongs.
struct BrowserTurn {
    let provider: IdentityProvider
    let draft: BrowserDraft
    let form: Form
    let exchange: Exchange

    private static let abilities: Words<ChallengeType> = [.oob, .password, .redirect]
    private static let capabilities: Words<Capability> = [.mfaRequired, .registrationRequired]
    var app: String { draft.clientID }

    /// What the person pressed.
    private var action: String { form.value("do") ?? "next" }

    func take() throws -> BrowserOutcome {
        if action == "cancel" { return .cancelled }
        guard draft.goal != nil else { return .show(.deviceCode, .wrongDeviceCode) }
        switch action {
        case "signin": return .show(.identify(.signIn), nil)
        case "signup": return .show(.identify(.signUp), nil)
        default: break
        }
        switch draft.step {
        case .deviceCode, .deviceConsent: return .show(.identify(.signIn), nil)
        case .identify(let purpose): return try identify(purpose)
        case .password(let flow): return action == "reset" ? try begin(.reset, flow.username) : try password(flow)
        case .code(let step): return action == "again" ? try sendAgain(step) : try code(step)
        case .newPassword(let purpose, let flow): return try newPassword(purpose, flow)
        case .attributes(let asked, let flow): return try attributes(asked, flow)
        case .method(let methods, let flow): return try method(methods, flow)
        case .contact(let methods, let flow): return try contact(methods, flow)
        }
    }

    func call(_ step: (Exchange) throws -> Answer) throws -> InnerAnswer {
        try provider.take(exchange, step)
    }

    func keep(_ token: String, _ username: String) -> InnerFlow { provider.sealed(token, username) }
    func token(_ flow: InnerFlow) -> String { provider.token(of: flow) }
}

// MARK: - The first page

extension BrowserTurn {
    private func identify(_ purpose: BrowserPurpose) throws -> BrowserOutcome {
        let name = (form.value("username") ?? "").trimmingBlanks
        guard !name.isEmpty else { return .show(draft.step, .noAddress) }
        return try begin(purpose, name)
    }

    /// A flow, and the step behind its beginning: a code that is sent, or the question for a password.
    private func begin(_ purpose: BrowserPurpose, _ name: String) throws -> BrowserOutcome {
        let opened = try call { try open(purpose, name, $0) }
        guard case .goesOn(let reply) = opened else { return problem(opened) }
        guard let token = reply.continuationToken else { return .show(draft.step, .elsewhere) }
        return waiting(try call { try challenge(purpose, token, $0) }, .first(purpose), name)
    }

    private func open(_ purpose: BrowserPurpose, _ name: String, _ exchange: Exchange) throws -> Answer {
        switch purpose {
        case .signIn:
            try provider.signInInitiate(
                SignIn.Initiate(
                    clientId: app, username: name, challengeType: Self.abilities, capabilities: Self.capabilities),
                exchange)
        case .signUp:
            try provider.signUpStart(
                SignUp.Start(
                    clientId: app, username: name, challengeType: Self.abilities, capabilities: Self.capabilities),
                exchange)
        case .reset:
            try provider.resetStart(
                ResetPassword.Start(
                    clientId: app, username: name, challengeType: Self.abilities, capabilities: Self.capabilities),
                exchange)
        }
    }

    private func challenge(_ purpose: BrowserPurpose, _ token: String, _ exchange: Exchange) throws -> Answer {
        switch purpose {
        case .signIn: try provider.signInChallenge(SignIn.Challenge(clientId: app, continuationToken: token), exchange)
        case .signUp: try provider.signUpChallenge(SignUp.Challenge(clientId: app, continuationToken: token), exchange)
        case .reset:
            try provider.resetChallenge(ResetPassword.Challenge(clientId: app, continuationToken: token), exchange)
        }
    }

    /// The page that the answer to a challenge asks for.
    func waiting(_ answer: InnerAnswer, _ proof: CodeStep.Proof, _ name: String) -> BrowserOutcome {
        guard case .goesOn(let reply) = answer else { return problem(answer) }
        guard let token = reply.continuationToken else { return .show(draft.step, .elsewhere) }
        guard reply.challengeType == .oob else { return .show(.password(keep(token, name)), nil) }
        let label = reply.challengeTargetLabel ?? reply.challengeTarget ?? name
        return .show(
            .code(CodeStep(proof: proof, flow: keep(token, name), label: label, length: reply.codeLength ?? 8)), nil)
    }
}

// MARK: - Proofs

extension BrowserTurn {
    private func password(_ flow: InnerFlow) throws -> BrowserOutcome {
        guard let password = form.value("password") else { return .show(draft.step, .refused(.wrongPassword)) }
        return try redeem(
            SignIn.Token(
                clientId: app, grantType: .password, continuationToken: token(flow), password: password), flow)
    }

    /// What people type around the digits does not count.
    private var typedCode: String? {
        let code = (form.value("code") ?? "").filter { !$0.isWhitespace && $0 != "-" }
        return code.isEmpty ? nil : code
    }

    private func code(_ step: CodeStep) throws -> BrowserOutcome {
        guard let code = typedCode else { return .show(draft.step, .noCode) }
        let token = token(step.flow)
        switch step.proof {
        case .first(.signIn):
            return try redeem(
                SignIn.Token(clientId: app, grantType: .oob, continuationToken: token, oob: code), step.flow)
        case .second:
            return try redeem(
                SignIn.Token(clientId: app, grantType: .mfaOOB, continuationToken: token, oob: code), step.flow)
        case .first(.signUp):
            return try continued(
                SignUp.Continue(clientId: app, continuationToken: token, grantType: .oob, oob: code), step.flow)
        case .first(.reset):
            let answer = try call { exchange in
                try provider.resetContinue(
                    ResetPassword.Continue(clientId: app, continuationToken: token, grantType: .oob, oob: code),
                    exchange)
            }
            guard case .goesOn(let reply) = answer, let next = reply.continuationToken else { return problem(answer) }
            return .show(.newPassword(.reset, keep(next, step.flow.username)), nil)
        case .registration:
            return try registered(
                Register.Continue(clientId: app, continuationToken: token, grantType: .oob, oob: code), step.flow)
        }
    }

    private func sendAgain(_ step: CodeStep) throws -> BrowserOutcome {
        let token = token(step.flow)
        let answer = try call { exchange in
            switch step.proof {
            case .first(let purpose): try challenge(purpose, token, exchange)
            case .second: try challenge(.signIn, token, exchange)
            case .registration(let method, let contact):
                try provider.registerChallenge(
                    Register.Challenge(
                        clientId: app, continuationToken: token, challengeType: .oob, challengeTarget: contact,
                        challengeChannel: method.challengeChannel), exchange)
            }
        }
        return waiting(answer, step.proof, step.flow.username)
    }

    /// A step of the token endpoint, which ends in a proof that is complete.
    private func redeem(_ call: SignIn.Token, _ flow: InnerFlow) throws -> BrowserOutcome {
        let answer = try self.call { try provider.token(call, $0) }
        guard case .goesOn(let reply) = answer else { return try followed(answer, flow.username) }
        guard let token = reply.continuationToken else { return .over(.elsewhere) }
        return .proven(token)
    }

    /// Whatever follows a sign-up, a reset or a registration: the token endpoint says whether it is enough.
    func finished(_ token: String, _ flow: InnerFlow) throws -> BrowserOutcome {
        try redeem(SignIn.Token(clientId: app, grantType: .continuationToken, continuationToken: token), flow)
    }
}

extension String {
    /// Blanks that a browser's own completion leaves around an address.
    var trimmingBlanks: String {
        let rest = drop { $0.isWhitespace }
        return String(rest.reversed().drop { $0.isWhitespace }.reversed())
    }
}
