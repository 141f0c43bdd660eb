// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Walks a person, or the flags, through a sign-in.
struct SignInDialogue {
    private let client: NativeAuthClient
    private var interview: Interview
    /// Where the steps are kept, and the one to go on from.
    var kept: KeptFlow?
    var resumed: WrittenStep?
    private let scopes: [String]

    init(client: NativeAuthClient, interview: Interview, scopes: [String]) {
        self.client = client
        self.interview = interview
        self.scopes = scopes
    }

    mutating func run() async throws -> Account {
        try await finish(try await begin())
    }

    /// Goes on from a step to the account.
    mutating func finish(_ step: SignInStep) async throws -> Account {
        var step = step
        var failures = 0
        while true {
            kept?.keep(step.written)
            if case .completed(let account) = step { return account }
            do {
                step = try await answer(step)
            } catch let error as StepError<SignInStep> {
                failures += error.error.reason == .invalidCredentials ? 1 : 0
                // As ssh does: three wrong passwords are enough, so that the account is not locked by a stuck key.
                guard let open = error.retry, error.error.asksForAnotherValue, interview.hasPerson, failures < 3 else {
                    throw error
                }
                interview.tell(error.error.sentence)
                step = open
            }
        }
    }

    private mutating func begin() async throws -> SignInStep {
        guard let written = resumed, let step = client.signInStep(written) else { return try await start() }
        return announced(step)
    }

    private mutating func start() async throws -> SignInStep {
        while true {
            let username = try interview.username()
            do throws(StepError<SignInStep>) {
                return announced(try await client.signIn(username: username, scopes: scopes))
            } catch {
                guard interview.hasPerson, error.error.reason == .invalidUsername else { throw error }
                interview.tell(error.error.sentence)
            }
        }
    }

    private mutating func answer(_ step: SignInStep) async throws -> SignInStep {
        switch step {
        case .codeRequired(let code):
            guard let digits = try interview.code(code.delivery) else { return announced(try await code.resend()) }
            return try await code.submit(digits)
        case .passwordRequired(let password):
            return try await password.submit(try interview.password())
        case .multiFactorRequired(let choice):
            let method = try interview.method(choice.methods)
            return announced(try await choice.challenge(method))
        case .multiFactorCodeRequired(let code):
            guard let digits = try interview.code(code.delivery) else { return announced(try await code.resend()) }
            return try await code.submit(digits)
        case .registrationRequired(let choice):
            let method = try interview.method(choice.methods)
            let contact = try interview.contact(method)
            return announced(try await choice.register(method, contact: contact))
        case .registrationCodeRequired(let code):
            guard let digits = try interview.code(code.delivery) else { return announced(try await code.resend()) }
            return try await code.submit(digits)
        case .completed:
            return step
        }
    }

    /// The step, after the person was told where a code went.
    private mutating func announced(_ step: SignInStep) -> SignInStep {
        switch step {
        case .codeRequired(let code): interview.announce(code.delivery, to: nil)
        case .multiFactorCodeRequired(let code): interview.announce(code.delivery, to: nil)
        case .registrationCodeRequired(let code): interview.announce(code.delivery, to: nil)
        default: break
        }
        return step
    }
}

extension AuthError {
    /// Whether the person can mend it by answering anew.
    var asksForAnotherValue: Bool {
        switch reason {
        case .invalidUsername, .invalidCode, .invalidPassword, .invalidCredentials, .invalidAttributes, .tooManyCodes,
            .invalidContact, .methodBlocked:
            true
        default: false
        }
    }
}
