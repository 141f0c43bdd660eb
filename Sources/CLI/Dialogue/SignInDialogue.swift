// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// Walks a person, or the flags, through a sign-in.
struct SignInDialogue {
    private let client: NativeAuthClient
    private var interview: Interview
    /// Where the steps are kept, and the one to go on from.
    var kept: KeptFlow?
    var resumed: ResumedStep?
    private let scopes: [String]
    /// Empty where another flow has led here: there is no way back then.
    private var username = ""

    init(client: NativeAuthClient, interview: Interview, scopes: [String]) {
        self.client = client
        self.interview = interview
        self.scopes = scopes
    }

    mutating func run() async throws -> Account {
        try await finish(try await begin())
    }

    /// Signs in with an address that is known already.
    mutating func run(as username: String) async throws -> Account {
        self.username = username
        return try await finish(announced(try await client.signIn(username: username, scopes: scopes)))
    }

    /// Goes on from a step to the account.
    mutating func finish(_ step: SignInStep) async throws -> Account {
        var step = step
        var failures = 0
        while true {
            kept?.keep(step.written, codeSent: interview.codeSent)
            if case .completed(let account) = step { return account }
            do {
                step = try await answer(step)
            } catch let error as StepError<SignInStep> {
                kept?.forget(after: error)
                failures += error.error.reason == .invalidCredentials ? 1 : 0
                // As ssh does: three wrong passwords are enough, so that the account is not locked by a stuck key.
                if error.error.reason == .flowExpired, !username.isEmpty, try interview.startsAgain() {
                    step = announced(try await client.signIn(username: username, scopes: scopes))
                    continue
                }
                guard let open = error.retry, error.error.asksForAnotherValue, interview.hasPerson, failures < 3 else {
                    throw error
                }
                interview.warn(error.error.remark)
                step = open
            }
        }
    }

    private mutating func begin() async throws -> SignInStep {
        guard let resumed, let step = client.signInStep(resumed.written) else { return try await start() }
        username = resumed.written.username
        return announced(step, sent: resumed.codeSent)
    }

    private mutating func start() async throws -> SignInStep {
        while true {
            username = try interview.username(former: username)
            do throws(StepError<SignInStep>) {
                return announced(try await client.signIn(username: username, scopes: scopes))
            } catch {
                guard interview.hasPerson, error.error.reason == .invalidUsername else { throw error }
                interview.warn(error.error.sentence)
            }
        }
    }

    private mutating func answer(_ step: SignInStep) async throws -> SignInStep {
        switch step {
        case .codeRequired(let code):
            switch try interview.code(code.delivery, wayBack: username.isEmpty ? nil : .address) {
            case .code(let digits): return try await code.submit(digits)
            case .another: return announced(try await code.resend())
            case .back: return try await start()
            }
        case .passwordRequired(let password):
            guard let secret = try interview.password(wayBack: !username.isEmpty) else { return try await start() }
            return try await password.submit(secret)
        case .multiFactorRequired(let choice):
            let method = try interview.method(choice.methods)
            return announced(try await choice.challenge(method))
        case .multiFactorCodeRequired(let code):
            switch try interview.code(code.delivery, wayBack: code.methods.count > 1 ? .method : nil) {
            case .code(let digits): return try await code.submit(digits)
            case .another: return announced(try await code.resend())
            case .back: return announced(try await code.challenge(try interview.method(code.methods)))
            }
        case .registrationRequired(let choice):
            let method = try interview.method(choice.methods)
            let contact = try interview.contact(method)
            return announced(try await choice.register(method, contact: contact))
        case .registrationCodeRequired(let code):
            switch try interview.code(code.delivery, wayBack: .contact) {
            case .code(let digits): return try await code.submit(digits)
            case .another: return announced(try await code.resend())
            case .back:
                let method = try interview.method(code.methods)
                return announced(try await code.register(method, contact: try interview.contact(method)))
            }
        case .completed:
            return step
        }
    }

    /// The step, after the person was told where a code went.
    ///
    /// - Parameter sent: When that was, where it was not now.
    private mutating func announced(_ step: SignInStep, sent: Date? = nil) -> SignInStep {
        switch step {
        case .codeRequired(let code): interview.announce(code.delivery, to: nil, sent: sent)
        case .multiFactorCodeRequired(let code): interview.announce(code.delivery, to: nil, sent: sent)
        case .registrationCodeRequired(let code): interview.announce(code.delivery, to: nil, sent: sent)
        default: break
        }
        return step
    }
}

extension AuthError {
    /// What the person is told who can answer anew; for a tenant that wants a pause, how long it is.
    var remark: String {
        guard case .rateLimited = reason, let hint else { return sentence }
        return sentence + " " + hint
    }

    /// Whether the person can mend it by answering anew.
    var asksForAnotherValue: Bool {
        switch reason {
        case .invalidUsername, .invalidCode, .invalidPassword, .invalidCredentials, .invalidAttributes, .tooManyCodes,
            .invalidContact, .methodBlocked, .rateLimited:
            true
        default: false
        }
    }
}
