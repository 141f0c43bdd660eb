// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Testing

/// A step is not the one that the conversation should have come to.
struct UnexpectedStep: Error, CustomStringConvertible {
    let description: String

    init(_ step: some Sendable) {
        // The case alone: what it holds is nobody's business.
        description = "came to \("\(step)".prefix { $0 != "(" })"
    }
}

extension SignUpStep {
    var code: SignUpCode { get throws { if case .codeRequired(let step) = self { step } else { throw odd } } }
    var password: SignUpPassword {
        get throws { if case .passwordRequired(let step) = self { step } else { throw odd } }
    }
    var page: SignUpAttributes {
        get throws { if case .attributesRequired(let step) = self { step } else { throw odd } }
    }
    var completion: SignUpCompletion { get throws { if case .completed(let step) = self { step } else { throw odd } } }
    private var odd: UnexpectedStep { UnexpectedStep(self) }
}

extension SignInStep {
    var code: SignInCode { get throws { if case .codeRequired(let step) = self { step } else { throw odd } } }
    var password: SignInPassword {
        get throws { if case .passwordRequired(let step) = self { step } else { throw odd } }
    }
    var factor: MultiFactorChoice {
        get throws { if case .multiFactorRequired(let step) = self { step } else { throw odd } }
    }
    var factorCode: MultiFactorCode {
        get throws { if case .multiFactorCodeRequired(let step) = self { step } else { throw odd } }
    }
    var registration: RegistrationChoice {
        get throws { if case .registrationRequired(let step) = self { step } else { throw odd } }
    }
    var registrationCode: RegistrationCode {
        get throws { if case .registrationCodeRequired(let step) = self { step } else { throw odd } }
    }
    var account: Account { get throws { if case .completed(let account) = self { account } else { throw odd } } }
    private var odd: UnexpectedStep { UnexpectedStep(self) }
}

extension ResetStep {
    var code: ResetCode { get throws { if case .codeRequired(let step) = self { step } else { throw odd } } }
    var password: NewPassword { get throws { if case .passwordRequired(let step) = self { step } else { throw odd } } }
    var completion: ResetCompletion { get throws { if case .completed(let step) = self { step } else { throw odd } } }
    private var odd: UnexpectedStep { UnexpectedStep(self) }
}

// MARK: - Errors

/// Runs a call that has to fail for a reason, and gives the step to try again from.
@discardableResult
func retry<Step: Sendable>(
    after reason: AuthError.Reason, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Step
) async throws -> Step {
    let failure = try await failure(sourceLocation, body)
    #expect(failure.error.reason == reason, sourceLocation: sourceLocation)
    return try #require(failure.retry, "no step is left", sourceLocation: sourceLocation)
}

/// Runs a call that has to end the flow for a reason.
@discardableResult
func end<Step: Sendable>(
    by reason: AuthError.Reason, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Step
) async throws -> AuthError {
    let failure = try await failure(sourceLocation, body)
    #expect(failure.error.reason == reason, sourceLocation: sourceLocation)
    #expect(failure.retry == nil, "a step is left", sourceLocation: sourceLocation)
    return failure.error
}

private func failure<Step: Sendable>(
    _ sourceLocation: SourceLocation, _ body: () async throws -> Step
) async throws -> StepError<Step> {
    do {
        let step = try await body()
        throw UnexpectedStep(step)
    } catch let failure as StepError<Step> {
        return failure
    }
}

/// Runs a call outside of a flow that has to fail for a reason.
@discardableResult
func refusal<Value>(
    _ reason: AuthError.Reason, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async throws -> AuthError {
    do {
        _ = try await body()
        throw UnexpectedStep("a result")
    } catch let error as AuthError {
        #expect(error.reason == reason, sourceLocation: sourceLocation)
        return error
    }
}
