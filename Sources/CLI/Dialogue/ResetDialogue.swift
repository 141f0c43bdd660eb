// SPDX-License-Identifier: Apache-2.0

import Console
import FoundationEssentials
import NativeAuth

/// Walks a person, or the flags, through a password reset.
struct ResetDialogue {
    private let client: NativeAuthClient
    private var interview: Interview
    /// Where the steps are kept, and the one to go on from.
    var kept: KeptFlow?
    var resumed: ResumedStep?
    private var username = ""

    init(client: NativeAuthClient, interview: Interview) {
        self.client = client
        self.interview = interview
    }

    mutating func run() async throws -> ResetCompletion {
        var step = try await begin()
        while true {
            kept?.keep(step.written, codeSent: interview.codeSent)
            if case .completed(let done) = step { return done }
            do {
                step = try await answer(step)
            } catch let error as StepError<ResetStep> {
                kept?.forget(after: error)
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
        guard let resumed, let step = client.resetStep(resumed.written) else { return try await start() }
        username = resumed.written.username
        return announced(step, sent: resumed.codeSent)
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
            switch try interview.code(code.delivery, wayBack: .address) {
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
    ///
    /// - Parameter sent: When that was, where it was not now.
    private mutating func announced(_ step: ResetStep, sent: Date? = nil) -> ResetStep {
        if case .codeRequired(let code) = step { interview.announce(code.delivery, to: nil, sent: sent) }
        return step
    }
}
