// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// A sign-in that waits for a one-time passcode.
public final class SignInCodeRequiredState: SignInBaseState, @unchecked Sendable {
    private let step: SignInCode

    init(_ step: SignInCode, _ flow: Flow) {
        self.step = step
        super.init(flow)
    }

    /// Has a new code sent; the old one is dead from then on.
    ///
    /// - Parameter delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func resendCode(delegate: any SignInResendCodeDelegate) {
        flow.perform(delegate, { [step] in try await step.resend() }) { [self] delegate, outcome in
            switch outcome {
            case .done(.codeRequired(let next)):
                delegate.onSignInResendCodeCodeRequired(
                    newState: SignInCodeRequiredState(next, flow), sentTo: next.delivery.sentTo,
                    channelTargetType: next.delivery.channelType, codeLength: next.delivery.codeLength)
            case .done:
                delegate.onSignInResendCodeError(error: ResendCodeError(flow.general), newState: nil)
            case .failed(let failure, _):
                let again = SignInCodeRequiredState(step, flow)
                delegate.onSignInResendCodeError(
                    error: ResendCodeError(failure), newState: failure.isOfDelegate ? nil : again)
            }
        }
    }

    /// Submits the code.
    ///
    /// - Parameters:
    ///   - code: The digits, without blanks.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitCode(code: String, delegate: any SignInVerifyCodeDelegate) {
        flow.perform(delegate, { [step] in try await step.submit(code) }) { [self] delegate, outcome in
            switch SignInOutcome(outcome, flow) {
            case .awaitingMFA(let methods, let next):
                delegate.onSignInAwaitingMFA(authMethods: methods, newState: next)
            case .registration(let methods, let next):
                delegate.onSignInStrongAuthMethodRegistration(authMethods: methods, newState: next)
            case .completed(let result):
                delegate.onSignInCompleted(result: result)
            case .other(_, let failure, let retry):
                let again = failure.isBehindStep ? retry?.code : step
                delegate.onSignInVerifyCodeError(
                    error: VerifyCodeError(failure),
                    newState: failure.isLocal ? self : again.map { SignInCodeRequiredState($0, flow) })
            }
        }
    }
}

/// A sign-in that waits for the account's password.
public final class SignInPasswordRequiredState: SignInBaseState, @unchecked Sendable {
    private let step: SignInPassword

    init(_ step: SignInPassword, _ flow: Flow) {
        self.step = step
        super.init(flow)
    }

    /// Submits the password.
    ///
    /// - Parameters:
    ///   - password: As the person typed it.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitPassword(password: String, delegate: any SignInPasswordRequiredDelegate) {
        flow.perform(delegate, { [step] in try await step.submit(password) }) { [self] delegate, outcome in
            switch SignInOutcome(outcome, flow) {
            case .awaitingMFA(let methods, let next):
                delegate.onSignInAwaitingMFA(authMethods: methods, newState: next)
            case .registration(let methods, let next):
                delegate.onSignInStrongAuthMethodRegistration(authMethods: methods, newState: next)
            case .completed(let result):
                delegate.onSignInCompleted(result: result)
            case .other(_, let failure, let retry):
                let again = failure.isBehindStep ? retry?.password : step
                delegate.onSignInPasswordRequiredError(
                    error: PasswordRequiredError(failure),
                    newState: failure.isLocal
                        ? self : again.map { SignInPasswordRequiredState($0, flow) })
            }
        }
    }
}

// MARK: - What a first factor leads to

/// What all sign-ins have in common.
enum SignInOutcome {
    case awaitingMFA([MSALAuthMethod], AwaitingMFAState)
    case registration([MSALAuthMethod], RegisterStrongAuthState)
    case completed(MSALNativeAuthUserAccountResult)
    /// Another step, for those that know what to do with it; the failure is for those that do not.
    case other(SignInStep?, Failure, retry: SignInStep?)

    init(_ outcome: Outcome<SignInStep>, _ flow: Flow) {
        switch outcome {
        case .done(.multiFactorRequired(let choice)):
            let methods = choice.methods.map { MSALAuthMethod($0) }
            self = .awaitingMFA(methods, AwaitingMFAState(choice, flow))
        case .done(.registrationRequired(let choice)):
            let methods = choice.methods.map { MSALAuthMethod($0) }
            self = .registration(methods, RegisterStrongAuthState(choice, flow))
        case .done(.completed(let account)):
            self = .completed(MSALNativeAuthUserAccountResult(account, flow.client))
        case .done(let step):
            self = .other(step, flow.general, retry: nil)
        case .failed(let failure, let retry):
            self = .other(nil, failure, retry: retry)
        }
    }
}

extension SignInStep {
    fileprivate var code: SignInCode? { if case .codeRequired(let step) = self { step } else { nil } }
    fileprivate var password: SignInPassword? { if case .passwordRequired(let step) = self { step } else { nil } }
}

extension Failure {
    /// Whether it happened after the first factor was taken: where the methods for a second one were asked for, or at the
    /// delegate.
    fileprivate var isBehindStep: Bool { isAt(SignIn.Introspect.path, Register.Introspect.path) || isOfDelegate }
}
