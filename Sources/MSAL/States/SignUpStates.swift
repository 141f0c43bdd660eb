// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// A sign-up that waits for a one-time passcode.
public final class SignUpCodeRequiredState: SignUpBaseState, @unchecked Sendable {
    private let step: SignUpCode

    init(_ step: SignUpCode, _ client: NativeAuthClient, _ correlation: Correlation) {
        self.step = step
        super.init(client, correlation)
    }

    /// Has a new code sent; the old one is dead from then on.
    public func resendCode(delegate: any SignUpResendCodeDelegate) {
        perform(correlation, delegate, { [step] in try await step.resend() }) { [self] delegate, outcome in
            switch outcome {
            case .done(.codeRequired(let next)):
                delegate.onSignUpResendCodeCodeRequired(
                    newState: SignUpCodeRequiredState(next, client, correlation), sentTo: next.delivery.sentTo,
                    channelTargetType: next.delivery.channelType, codeLength: next.delivery.codeLength)
            case .done:
                delegate.onSignUpResendCodeError(error: ResendCodeError(.general(correlation)), newState: nil)
            case .failed(let failure, _):
                delegate.onSignUpResendCodeError(
                    error: ResendCodeError(failure),
                    newState: failure.isKnownToSignUpChallenge
                        ? SignUpCodeRequiredState(step, client, correlation) : nil)
            }
        }
    }

    /// Submits the code.
    ///
    /// - Parameter code: The digits, without blanks.
    public func submitCode(code: String, delegate: any SignUpVerifyCodeDelegate) {
        perform(correlation, delegate, { [step] in try await step.submit(code) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.attributesRequired(let page)):
                delegate.onSignUpAttributesRequired(
                    attributes: page.required, newState: SignUpAttributesRequiredState(page, client, correlation))
            case .done(.passwordRequired(let next)):
                delegate.onSignUpPasswordRequired(newState: SignUpPasswordRequiredState(next, client, correlation))
            case .done(.completed(let end)):
                delegate.onSignUpCompleted(newState: SignInAfterSignUpState(end, client, correlation))
            case .done(.codeRequired):
                delegate.onSignUpVerifyCodeError(error: VerifyCodeError(.general(correlation)), newState: nil)
            case .failed(let failure, let retry):
                let error = VerifyCodeError(failure.isKnownToSignUpChallenge ? failure.withoutWords : failure)
                // The code is used up once the challenge is asked for that comes after it.
                let next = failure.isAt(SignUp.Challenge.path) ? retry?.code : error.isInvalidCode ? step : nil
                delegate.onSignUpVerifyCodeError(
                    error: error,
                    newState: failure.isLocal ? self : next.map { SignUpCodeRequiredState($0, client, correlation) })
            }
        }
    }
}

/// A sign-up that waits for the password of the new account.
public final class SignUpPasswordRequiredState: SignUpBaseState, @unchecked Sendable {
    private let step: SignUpPassword

    init(_ step: SignUpPassword, _ client: NativeAuthClient, _ correlation: Correlation) {
        self.step = step
        super.init(client, correlation)
    }

    /// Submits the password.
    public func submitPassword(password: String, delegate: any SignUpPasswordRequiredDelegate) {
        perform(correlation, delegate, { [step] in try await step.submit(password) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.attributesRequired(let page)):
                delegate.onSignUpAttributesRequired(
                    attributes: page.required, newState: SignUpAttributesRequiredState(page, client, correlation))
            case .done(.completed(let end)):
                delegate.onSignUpCompleted(newState: SignInAfterSignUpState(end, client, correlation))
            case .done(.codeRequired), .done(.passwordRequired):
                delegate.onSignUpPasswordRequiredError(
                    error: PasswordRequiredError(.general(correlation)), newState: nil)
            case .failed(let failure, _):
                let again = SignUpPasswordRequiredState(step, client, correlation)
                delegate.onSignUpPasswordRequiredError(
                    error: PasswordRequiredError(failure),
                    newState: failure.isLocal ? self : failure.isAboutProof ? again : nil)
            }
        }
    }
}

/// A sign-up that waits for a page of attributes.
public final class SignUpAttributesRequiredState: SignUpBaseState, @unchecked Sendable {
    private let page: SignUpAttributes

    init(_ page: SignUpAttributes, _ client: NativeAuthClient, _ correlation: Correlation) {
        self.page = page
        super.init(client, correlation)
    }

    /// Submits values for this page.
    ///
    /// - Parameter attributes: By attribute name; values that JSON can hold.
    public func submitAttributes(attributes: [String: Any], delegate: any SignUpAttributesRequiredDelegate) {
        let values = AttributeValue.values(attributes)
        perform(correlation, delegate, { [page] in try await page.submit(values.get()) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.attributesRequired(let page)):
                delegate.onSignUpAttributesRequired(
                    attributes: page.required, newState: SignUpAttributesRequiredState(page, client, correlation))
            case .done(.completed(let end)):
                delegate.onSignUpCompleted(newState: SignInAfterSignUpState(end, client, correlation))
            case .done(.codeRequired), .done(.passwordRequired):
                delegate.onSignUpAttributesRequiredError(error: AttributesRequiredError(.general(correlation)))
            case .failed(let failure, _):
                guard case .invalidAttributes(let names) = failure.error.reason else {
                    return delegate.onSignUpAttributesRequiredError(error: AttributesRequiredError(failure))
                }
                delegate.onSignUpAttributesInvalid(
                    attributeNames: names, newState: SignUpAttributesRequiredState(page, client, correlation))
            }
        }
    }
}

extension SignUpStep {
    fileprivate var code: SignUpCode? { if case .codeRequired(let step) = self { step } else { nil } }
}

extension SignUpAttributes {
    fileprivate var required: [MSALNativeAuthRequiredAttribute] {
        attributes.map { MSALNativeAuthRequiredAttribute($0) }
    }
}

extension Failure {
    /// Whether the value is at fault, so that another one can be submitted.
    fileprivate var isAboutProof: Bool {
        switch error.reason {
        case .invalidCode, .invalidPassword: true
        default: false
        }
    }

    /// Whether the server refused a challenge by an error that the protocol has for it.
    fileprivate var isKnownToSignUpChallenge: Bool {
        guard isRefusal, isAt(SignUp.Challenge.path) else { return false }
        let kinds: [Refusal.Kind] = [.invalidRequest, .unauthorizedClient, .unsupportedChallengeType, .expiredToken]
        return kinds.contains { $0.rawValue == error.error }
    }
}
