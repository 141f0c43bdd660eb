// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// Walks a person, or the flags, through a sign-up. The tenant's answers decide what is asked next.
struct SignUpDialogue {
    private let client: NativeAuthClient
    private var interview: Interview
    /// Where the steps are kept, and the one to go on from.
    var kept: KeptFlow?
    var resumed: ResumedStep?
    /// Values that are settled; one that the tenant refuses, or asks for again, is no longer.
    private var attributes: [String: AttributeValue]
    /// Values that were tried and not taken: where the next answer starts from.
    private var former: [String: AttributeValue] = [:]
    private var username = ""

    init(client: NativeAuthClient, interview: Interview, attributes: [String: AttributeValue]) {
        self.client = client
        self.interview = interview
        self.attributes = attributes
    }

    /// - Throws: ``SignInInstead`` where the account exists and the person wants in, and others.
    mutating func run() async throws -> SignUpCompletion {
        var step = try await begin()
        while true {
            kept?.keep(step.written, codeSent: interview.codeSent)
            if case .completed(let done) = step { return done }
            do {
                step = try await answer(step)
            } catch let error as StepError<SignUpStep> {
                kept?.forget(after: error)
                step = try await reopen(error)
            }
        }
    }

    private mutating func begin() async throws -> SignUpStep {
        guard let resumed, let step = client.signUpStep(resumed.written) else { return try await start() }
        username = resumed.written.username
        return announced(step, sent: resumed.codeSent)
    }

    /// Where to go on after an error: at the same step, or from the start where the tenant has closed the flow.
    private mutating func reopen(_ error: StepError<SignUpStep>) async throws -> SignUpStep {
        if error.error.reason == .flowExpired, try interview.startsAgain() { return try await open() }
        guard let step = error.retry, error.error.asksForAnotherValue, interview.hasPerson else { throw error }
        regret(error.error)
        return step
    }

    private mutating func start() async throws -> SignUpStep {
        username = try interview.username(former: username)
        return try await open()
    }

    /// Opens the sign-up; an address or a value that the tenant does not take is asked for again.
    private mutating func open() async throws -> SignUpStep {
        var password = try interview.givenPassword()
        while true {
            do throws(StepError<SignUpStep>) {
                return announced(
                    try await client.signUp(username: username, password: password, attributes: attributes))
            } catch {
                if error.error.reason == .userAlreadyExists { try offerSignIn(error.error) }
                guard interview.hasPerson, try amend(&password, after: error.error) else { throw error }
            }
        }
    }

    private func offerSignIn(_ error: AuthError) throws {
        guard interview.hasPerson else { return }
        interview.warn(error.sentence)
        if try interview.confirm("Sign in to it instead?") { throw SignInInstead(username: username) }
    }

    /// Takes back what the tenant did not take, so that the next attempt differs from this one.
    ///
    /// - Returns: False where there is nothing to take back.
    private mutating func amend(_ password: inout String?, after error: AuthError) throws -> Bool {
        switch error.reason {
        case .invalidUsername:
            interview.warn(error.sentence)
            username = try interview.username(former: username)
        case .invalidPassword where password != nil:
            interview.warn(error.sentence)
            password = nil
        case .invalidAttributes where !attributes.isEmpty:
            regret(error)
        default:
            return false
        }
        return true
    }

    private mutating func answer(_ step: SignUpStep) async throws -> SignUpStep {
        switch step {
        case .codeRequired(let code):
            switch try interview.code(code.delivery, wayBack: .address) {
            case .code(let digits): return try await code.submit(digits)
            case .another: return announced(try await code.resend())
            case .back: return try await start()
            }
        case .passwordRequired(let password):
            return try await password.submit(try interview.newPassword(for: username))
        case .attributesRequired(let page):
            let values = try interview.attributes(page.attributes, known: attributes, former: former)
            // What is asked for again after this was not taken, whatever the tenant said.
            values.keys.forEach { attributes[$0] = nil }
            do {
                return try await page.submit(values)
            } catch {
                attributes.merge(values) { $1 }
                former.merge(values) { $1 }
                throw error
            }
        case .completed:
            return step
        }
    }

    /// The step, after the person was told where a code went.
    ///
    /// - Parameter sent: When that was, where it was not now.
    private mutating func announced(_ step: SignUpStep, sent: Date? = nil) -> SignUpStep {
        if case .codeRequired(let code) = step { interview.announce(code.delivery, to: username, sent: sent) }
        return step
    }

    /// Says what was wrong, and forgets it; all attributes, where the tenant names none of ours.
    private mutating func regret(_ error: AuthError) {
        interview.warn(error.remark)
        guard case .invalidAttributes(let names) = error.reason else { return }
        former.merge(attributes) { $1 }
        let kept = attributes.filter { !names.contains($0.key) }
        attributes = kept.count < attributes.count ? kept : [:]
    }
}

/// The account exists already, and its owner is there.
struct SignInInstead: Error {
    let username: String
}
