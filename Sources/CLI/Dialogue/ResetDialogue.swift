// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// Walks a person, or the flags, through a password reset.
struct ResetDialogue {
    private let client: NativeAuthClient
    private var interview: Interview
    /// Where the steps are kept, and the one to go on from.
    var kept: KeptFlow?
    var resumed: WrittenStep?
    private var username = ""

    init(client: NativeAuthClient, interview: Interview) {
        self.client = client
        self.interview = interview
    }

    mutating func run() async throws -> ResetCompletion {
        var step = try await begin()
        while true {
            kept?.keep(step.written)
            if case .completed(let done) = step { return done }
            do {
                step = try await answer(step)
            } catch let error as StepError<ResetStep> {
                if error.error.reason == .flowExpired, try interview.startsAgain() {
                    step = announced(try await client.resetPassword(username: username))
                    continue
                }
                guard let open = error.retry, error.error.asksForAnotherValue, interview.hasPerson else { throw error }
                interview.warn(error.error.remark)
                step = open
            }
        }
    }

    private mutating func begin() async throws -> ResetStep {
        guard let written = resumed, let step = client.resetStep(written) else { return try await start() }
        username = written.username
        return announced(step)
    }

    private mutating func start() async throws -> ResetStep {
        while true {
            username = try interview.username(former: username)
            do throws(StepError<ResetStep>) {
                return announced(try await client.resetPassword(username: username))
            } catch {
                guard interview.hasPerson, error.error.reason == .invalidUsername else { throw error }
                interview.warn(error.error.sentence)
            }
        }
    }

    private mutating func answer(_ step: ResetStep) async throws -> ResetStep {
        switch step {
        case .codeRequired(let code):
            switch try interview.code(code.delivery, wayBack: true) {
            case .code(let digits): return try await code.submit(digits)
            case .another: return announced(try await code.resend())
            case .back: return try await start()
            }
        case .passwordRequired(let password):
            return try await password.submit(try interview.newPassword(for: username))
        case .completed:
            return step
        }
    }

    /// The step, after the person was told where a code went; not always to the name that was typed.
    private mutating func announced(_ step: ResetStep) -> ResetStep {
        if case .codeRequired(let code) = step { interview.announce(code.delivery, to: nil) }
        return step
    }
}
