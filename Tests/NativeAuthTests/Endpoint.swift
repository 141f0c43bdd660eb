// SPDX-License-Identifier: Apache-2.0

import TenantTesting

@testable import NativeAuth

/// Every call of the protocol, with a script that leads to it.
enum Endpoint: String, CaseIterable, Sendable {
    case signUpStart, signUpChallenge, signUpContinue
    case initiate, challenge, token
    case introspect, factorChallenge, factorToken
    case registerIntrospect, registerChallenge, registerContinue, registerToken
    case resetStart, resetChallenge, resetContinue, resetSubmit, resetPoll

    typealias Line = ScriptedTransport.Line

    private static let signedUp: [Line] = [.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))]
    private static let signedIn: [Line] = [.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2"))]
    private static let factor: [Line] =
        signedIn + [.refused(Said.multiFactorRequired("CT7")), .ok(Said.methods("CT8")), .ok(Said.codeSent("CT9"))]
    private static let registration: [Line] =
        signedIn + [
            .refused(Said.registrationRequired("CT7")), .ok(Said.registrable("CT8")), .ok(Said.contactCodeSent("CT9")),
            .ok(Said.token("CT10")),
        ]
    private static let reset: [Line] =
        signedUp + [.ok(Said.codeRight("CT3")), .ok(Said.submitted("CT4"))]

    /// What the tenant says until the call is made.
    var script: [Line] {
        switch self {
        case .signUpStart, .initiate, .resetStart: []
        case .signUpChallenge, .challenge, .resetChallenge: [.ok(Said.token("CT1"))]
        case .signUpContinue, .resetContinue: Self.signedUp
        case .token: Self.signedIn
        case .introspect: Array(Self.factor[..<3])
        case .factorChallenge: Array(Self.factor[..<4])
        case .factorToken: Self.factor
        case .registerIntrospect: Array(Self.registration[..<3])
        case .registerChallenge: Array(Self.registration[..<4])
        case .registerContinue: Array(Self.registration[..<5])
        case .registerToken: Self.registration
        case .resetSubmit: Array(Self.reset[..<3])
        case .resetPoll: Self.reset
        }
    }

    /// The step that the call is made from; nil at the beginning of a flow.
    var step: String? {
        switch self {
        case .signUpStart, .signUpChallenge, .initiate, .challenge, .resetStart, .resetChallenge: nil
        case .signUpContinue, .resetContinue: "code CT2"
        case .token, .introspect, .registerIntrospect: "password CT2"
        case .factorChallenge: "factor CT8"
        case .factorToken: "factor code CT9"
        case .registerChallenge: "registration CT8"
        case .registerContinue, .registerToken: "registration code CT9"
        case .resetSubmit: "password CT3"
        case .resetPoll: "password CT4"
        }
    }

    /// Makes the calls up to this one and reads what comes of it.
    func ending(_ said: [Line]) async throws -> (Ending, ScriptedTransport) {
        let server = ScriptedTransport(script + said)
        let client = try Fjordshop.client(server)
        let ending: Ending
        switch self {
        case .signUpStart, .signUpChallenge, .signUpContinue:
            ending = await Ending { () async throws(StepError<SignUpStep>) in
                try await client.signUp(username: Fjordshop.mira).walk(until: server)
            }
        case .resetStart, .resetChallenge, .resetContinue, .resetSubmit, .resetPoll:
            ending = await Ending { () async throws(StepError<ResetStep>) in
                try await client.resetPassword(username: Fjordshop.mira).walk(until: server)
            }
        default:
            ending = await Ending { () async throws(StepError<SignInStep>) in
                try await client.signIn(username: Fjordshop.mira).walk(until: server)
            }
        }
        return (ending, server)
    }
}

extension SignUpStep {
    /// Answers whatever is asked, until the server has said everything.
    fileprivate func walk(until server: ScriptedTransport)
        async throws(StepError<SignUpStep>) -> SignUpStep
    {
        var step = self
        while !server.isOver {
            switch step {
            case .codeRequired(let code): step = try await code.submit("1")
            case .passwordRequired(let password): step = try await password.submit("p")
            case .attributesRequired(let page): step = try await page.submit([:])
            case .completed: return step
            }
        }
        return step
    }
}

extension SignInStep {
    fileprivate func walk(until server: ScriptedTransport)
        async throws(StepError<SignInStep>) -> SignInStep
    {
        var step = self
        while !server.isOver {
            switch step {
            case .codeRequired(let code): step = try await code.submit("1")
            case .passwordRequired(let password): step = try await password.submit("p")
            case .multiFactorRequired(let choice): step = try await choice.challenge(choice.methods[0])
            case .multiFactorCodeRequired(let code): step = try await code.submit("1")
            case .registrationRequired(let choice):
                step = try await choice.register(choice.methods[1], contact: "+4790000007")
            case .registrationCodeRequired(let code): step = try await code.submit("1")
            case .completed: return step
            }
        }
        return step
    }
}

extension ResetStep {
    fileprivate func walk(until server: ScriptedTransport)
        async throws(StepError<ResetStep>) -> ResetStep
    {
        var step = self
        while !server.isOver {
            switch step {
            case .codeRequired(let code): step = try await code.submit("1")
            case .passwordRequired(let password): step = try await password.submit("p")
            case .completed: return step
            }
        }
        return step
    }
}
