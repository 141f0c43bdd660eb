// SPDX-License-Identifier: Apache-2.0

import NativeAuth

/// A password reset that waits for a one-time passcode.
public final class ResetPasswordCodeRequiredState: ResetPasswordBaseState, @unchecked Sendable {
    private let step: ResetCode

    init(_ step: ResetCode, _ client: NativeAuthClient, _ correlation: Correlation) {
        self.step = step
        super.init(client, correlation)
    }

    /// Has a new code sent; the old one is dead from then on.
    public func resendCode(delegate: any ResetPasswordResendCodeDelegate) {
        perform(correlation, delegate, { [step] in try await step.resend() }) { [self] delegate, outcome in
            switch outcome {
            case .done(.codeRequired(let next)):
                delegate.onResetPasswordResendCodeRequired(
                    newState: ResetPasswordCodeRequiredState(next, client, correlation),
                    sentTo: next.delivery.sentTo, channelTargetType: next.delivery.channelType,
                    codeLength: next.delivery.codeLength)
            case .done:
                delegate.onResetPasswordResendCodeError(error: ResendCodeError(.general(correlation)), newState: nil)
            case .failed(let failure, _):
                delegate.onResetPasswordResendCodeError(error: ResendCodeError(failure), newState: nil)
            }
        }
    }

    /// Submits the code.
    ///
    /// - Parameter code: The digits, without blanks.
    public func submitCode(code: String, delegate: any ResetPasswordVerifyCodeDelegate) {
        perform(correlation, delegate, { [step] in try await step.submit(code) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.passwordRequired(let next)):
                delegate.onPasswordRequired(newState: ResetPasswordRequiredState(next, client, correlation))
            case .done:
                delegate.onResetPasswordVerifyCodeError(error: VerifyCodeError(.general(correlation)), newState: nil)
            case .failed(let failure, _):
                let error = VerifyCodeError(failure)
                let again = error.isInvalidCode ? ResetPasswordCodeRequiredState(step, client, correlation) : nil
                delegate.onResetPasswordVerifyCodeError(error: error, newState: failure.isLocal ? self : again)
            }
        }
    }
}

/// A password reset that waits for the new password.
public final class ResetPasswordRequiredState: ResetPasswordBaseState, @unchecked Sendable {
    private let step: NewPassword

    init(_ step: NewPassword, _ client: NativeAuthClient, _ correlation: Correlation) {
        self.step = step
        super.init(client, correlation)
    }

    /// Submits the password, and waits until the tenant has it in place.
    public func submitPassword(password: String, delegate: any ResetPasswordRequiredDelegate) {
        perform(correlation, delegate, { [step] in try await step.submit(password) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.completed(let end)):
                delegate.onResetPasswordCompleted(newState: SignInAfterResetPasswordState(end, client, correlation))
            case .done:
                delegate.onResetPasswordRequiredError(
                    error: PasswordRequiredError(.general(correlation)), newState: nil)
            case .failed(let failure, let retry):
                let error = PasswordRequiredError(failure)
                let next = retry?.password.map { ResetPasswordRequiredState($0, client, correlation) }
                delegate.onResetPasswordRequiredError(
                    error: error, newState: failure.isLocal ? self : error.isInvalidPassword ? next : nil)
            }
        }
    }
}

extension ResetStep {
    fileprivate var password: NewPassword? { if case .passwordRequired(let step) = self { step } else { nil } }
}
