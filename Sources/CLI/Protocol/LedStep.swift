// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// A step of a flow through which another program is led.
protocol LedStep: Sendable {
    associatedtype End: Sendable
    /// What the flow has led to; nil on the way.
    var end: End? { get }
    /// The step as it is kept.
    var written: WrittenStep? { get }
}

extension SignUpStep: LedStep {
    var end: SignUpCompletion? { if case .completed(let done) = self { done } else { nil } }
}

extension SignInStep: LedStep {
    var end: Account? { if case .completed(let account) = self { account } else { nil } }
}

extension ResetStep: LedStep {
    var end: ResetCompletion? { if case .completed(let done) = self { done } else { nil } }
}

extension Peer {
    /// Opens a flow; a user name that is none is asked for again.
    ///
    /// - Parameter username: What a flag has said already.
    mutating func begin<Step: LedStep>(
        _ username: String?, _ open: (String) async throws(StepError<Step>) -> Step
    ) async throws -> Step {
        var given = username
        var problem: AuthError?
        while true {
            let name = if let given { given } else { try text(.username, after: problem) }
            given = nil
            do throws(StepError<Step>) {
                return try await open(name)
            } catch {
                guard error.error.reason == .invalidUsername else { throw error }
                problem = error.error
            }
        }
    }

    /// Goes on from a step to the end of the flow; what the tenant does not take is asked for again.
    mutating func lead<Step: LedStep>(
        from first: Step, _ kept: KeptFlow?, _ answer: (Step, AuthError?, inout Peer) async throws -> Step
    ) async throws -> Step.End {
        var step = first
        var problem: AuthError?
        while true {
            kept?.keep(step.written)
            if let end = step.end { return end }
            do {
                step = try await answer(step, problem, &self)
                problem = nil
            } catch let error as StepError<Step> {
                kept?.forget(after: error)
                guard let open = error.retry, error.error.asksForAnotherValue else { throw error }
                (step, problem) = (open, error.error)
            }
        }
    }
}
