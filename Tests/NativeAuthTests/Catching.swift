// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// The error that a sign-up ends in; nil if it ends well.
func signUpFailure<Value>(_ body: () async throws -> Value) async -> StepError<SignUpStep>? {
    do { _ = try await body() } catch { return error as? StepError<SignUpStep> }
    return nil
}

/// The error that a sign-in ends in; nil if it ends well.
func signInFailure<Value>(_ body: () async throws -> Value) async -> StepError<SignInStep>? {
    do { _ = try await body() } catch { return error as? StepError<SignInStep> }
    return nil
}

/// The error that a password reset ends in; nil if it ends well.
func resetFailure<Value>(_ body: () async throws -> Value) async -> StepError<ResetStep>? {
    do { _ = try await body() } catch { return error as? StepError<ResetStep> }
    return nil
}

/// The error that a request for a token, or a change of the account, ends in.
func authFailure<Value>(_ body: () async throws -> Value) async -> AuthError? {
    do { _ = try await body() } catch { return error as? AuthError }
    return nil
}

extension SignUpStep {
    var code: SignUpCode? { if case .codeRequired(let step) = self { step } else { nil } }
    var password: SignUpPassword? { if case .passwordRequired(let step) = self { step } else { nil } }
    var attributes: SignUpAttributes? { if case .attributesRequired(let step) = self { step } else { nil } }
    var completion: SignUpCompletion? { if case .completed(let step) = self { step } else { nil } }
}

extension SignInStep {
    var code: SignInCode? { if case .codeRequired(let step) = self { step } else { nil } }
    var password: SignInPassword? { if case .passwordRequired(let step) = self { step } else { nil } }
    var factor: MultiFactorChoice? { if case .multiFactorRequired(let step) = self { step } else { nil } }
    var factorCode: MultiFactorCode? { if case .multiFactorCodeRequired(let step) = self { step } else { nil } }
    var registration: RegistrationChoice? { if case .registrationRequired(let step) = self { step } else { nil } }
    var registrationCode: RegistrationCode? {
        if case .registrationCodeRequired(let step) = self { step } else { nil }
    }
    var account: Account? { if case .completed(let account) = self { account } else { nil } }
}

extension ResetStep {
    var code: ResetCode? { if case .codeRequired(let step) = self { step } else { nil } }
    var password: NewPassword? { if case .passwordRequired(let step) = self { step } else { nil } }
    var completion: ResetCompletion? { if case .completed(let step) = self { step } else { nil } }
}

extension AuthError.Reason {
    var isUnexpectedAnswer: Bool { if case .unexpectedAnswer = self { true } else { false } }
    var isUntrustedIDToken: Bool { if case .untrustedIDToken = self { true } else { false } }
}
