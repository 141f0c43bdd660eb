// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// A password reset that waits for a one-time passcode.
public final class ResetPasswordCodeRequiredState: ResetPasswordBaseState, @unchecked Sendable {
    private let step: ResetCode

    init(_ step: ResetCode, _ flow: Flow) {
        self.step = step
        super.init(flow)
    }

    /// Has a new code sent; the old one is dead from then on.
    ///
    /// - Parameter delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func resendCode(delegate: any ResetPasswordResendCodeDelegate) {
        flow.perform(delegate, { [step] in try await step.resend() }) { [self] delegate, outcome in
            switch outcome {
            case .done(.codeRequired(let next)):
                delegate.onResetPasswordResendCodeRequired(
                    newState: ResetPasswordCodeRequiredState(next, flow),
                    sentTo: next.delivery.sentTo, channelTargetType: next.delivery.channelType,
                    codeLength: next.delivery.codeLength)
            case .done:
                delegate.onResetPasswordResendCodeError(error: ResendCodeError(flow.general), newState: nil)
            case .failed(let failure, _):
                delegate.onResetPasswordResendCodeError(error: ResendCodeError(failure), newState: nil)
            }
        }
    }

    /// Submits the code.
    ///
    /// - Parameters:
    ///   - code: The digits, without blanks.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitCode(code: String, delegate: any ResetPasswordVerifyCodeDelegate) {
        flow.perform(delegate, { [step] in try await step.submit(code) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.passwordRequired(let next)):
                delegate.onPasswordRequired(newState: ResetPasswordRequiredState(next, flow))
            case .done:
                delegate.onResetPasswordVerifyCodeError(error: VerifyCodeError(flow.general), newState: nil)
            case .failed(let failure, _):
                let error = VerifyCodeError(failure)
                let again = error.isInvalidCode ? ResetPasswordCodeRequiredState(step, flow) : nil
                delegate.onResetPasswordVerifyCodeError(error: error, newState: failure.isLocal ? self : again)
            }
        }
    }
}

/// A password reset that waits for the new password.
public final class ResetPasswordRequiredState: ResetPasswordBaseState, @unchecked Sendable {
    private let step: NewPassword

    init(_ step: NewPassword, _ flow: Flow) {
        self.step = step
        super.init(flow)
    }

    /// Submits the password, and waits until the tenant has it in place.
    ///
    /// - Parameters:
    ///   - password: As the person typed it.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitPassword(password: String, delegate: any ResetPasswordRequiredDelegate) {
        flow.perform(delegate, { [step] in try await step.submit(password) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.completed(let end)):
                delegate.onResetPasswordCompleted(newState: SignInAfterResetPasswordState(end, flow))
            case .done:
                delegate.onResetPasswordRequiredError(
                    error: PasswordRequiredError(flow.general), newState: nil)
            case .failed(let failure, let retry):
                let error = PasswordRequiredError(failure)
                let next = retry?.password.map { ResetPasswordRequiredState($0, flow) }
                delegate.onResetPasswordRequiredError(
                    error: error, newState: failure.isLocal ? self : error.isInvalidPassword ? next : nil)
            }
        }
    }
}

extension ResetStep {
    fileprivate var password: NewPassword? { if case .passwordRequired(let step) = self { step } else { nil } }
}
