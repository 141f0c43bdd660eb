// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Walks a person, or the flags, through a sign-up. The tenant's answers decide what is asked next.
struct SignUpDialogue {
    private let client: NativeAuthClient
    private var interview: Interview
    /// Where the steps are kept, and the one to go on from.
    var kept: KeptFlow?
    var resumed: WrittenStep?
    /// Values that are settled; one that the tenant refuses, or asks for again, is no longer.
    private var attributes: [String: AttributeValue]
    private var username = ""

    init(client: NativeAuthClient, interview: Interview, attributes: [String: AttributeValue]) {
        self.client = client
        self.interview = interview
        self.attributes = attributes
    }

    mutating func run() async throws -> SignUpCompletion {
        var step = try await begin()
        while true {
            kept?.keep(step.written)
            if case .completed(let done) = step { return done }
            do {
                step = try await answer(step)
            } catch let error as StepError<SignUpStep> {
                guard let open = error.retry, error.error.asksForAnotherValue, interview.hasPerson else { throw error }
                regret(error.error)
                step = open
            }
        }
    }

    private mutating func begin() async throws -> SignUpStep {
        guard let written = resumed, let step = client.signUpStep(written) else { return try await start() }
        username = written.username
        return announced(step)
    }

    /// Opens the sign-up; an address or a value that the tenant does not take is asked for again.
    private mutating func start() async throws -> SignUpStep {
        username = try interview.username()
        var password = try interview.givenPassword()
        while true {
            do throws(StepError<SignUpStep>) {
                return announced(
                    try await client.signUp(username: username, password: password, attributes: attributes))
            } catch {
                guard interview.hasPerson, try amend(&password, after: error.error) else { throw error }
            }
        }
    }

    /// Takes back what the tenant did not take, so that the next attempt differs from this one.
    ///
    /// - Returns: False where there is nothing to take back.
    private mutating func amend(_ password: inout String?, after error: AuthError) throws -> Bool {
        switch error.reason {
        case .invalidUsername:
            interview.tell(error.sentence)
            username = try interview.username()
        case .invalidPassword where password != nil:
            interview.tell(error.sentence)
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
            guard let digits = try interview.code(code.delivery) else { return announced(try await code.resend()) }
            return try await code.submit(digits)
        case .passwordRequired(let password):
            return try await password.submit(try interview.newPassword())
        case .attributesRequired(let page):
            let values = try interview.attributes(page.attributes, known: attributes)
            // What is asked for again after this was not taken, whatever the tenant said.
            values.keys.forEach { attributes[$0] = nil }
            do {
                return try await page.submit(values)
            } catch {
                attributes.merge(values) { $1 }
                throw error
            }
        case .completed:
            return step
        }
    }

    /// The step, after the person was told where a code went.
    private mutating func announced(_ step: SignUpStep) -> SignUpStep {
        if case .codeRequired(let code) = step { interview.announce(code.delivery, to: username) }
        return step
    }

    /// Says what was wrong, and forgets it; all attributes, where the tenant names none of ours.
    private mutating func regret(_ error: AuthError) {
        interview.tell(error.sentence)
        guard case .invalidAttributes(let names) = error.reason else { return }
        let kept = attributes.filter { !names.contains($0.key) }
        attributes = kept.count < attributes.count ? kept : [:]
    }
}
