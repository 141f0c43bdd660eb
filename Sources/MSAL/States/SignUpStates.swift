// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// A sign-up that waits for a one-time passcode.
public final class SignUpCodeRequiredState: SignUpBaseState, @unchecked Sendable {
    private let step: SignUpCode

    init(_ step: SignUpCode, _ flow: Flow) {
        self.step = step
        super.init(flow)
    }

    /// Has a new code sent; the old one is dead from then on.
    ///
    /// - Parameter delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func resendCode(delegate: any SignUpResendCodeDelegate) {
        flow.perform(delegate, { [step] in try await step.resend() }) { [self] delegate, outcome in
            switch outcome {
            case .done(.codeRequired(let next)):
                delegate.onSignUpResendCodeCodeRequired(
                    newState: SignUpCodeRequiredState(next, flow), sentTo: next.delivery.sentTo,
                    channelTargetType: next.delivery.channelType, codeLength: next.delivery.codeLength)
            case .done:
                delegate.onSignUpResendCodeError(error: ResendCodeError(flow.general), newState: nil)
            case .failed(let failure, _):
                delegate.onSignUpResendCodeError(
                    error: ResendCodeError(failure),
                    newState: failure.isKnownToSignUpChallenge
                        ? SignUpCodeRequiredState(step, flow) : nil)
            }
        }
    }

    /// Submits the code.
    ///
    /// - Parameters:
    ///   - code: The digits, without blanks.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitCode(code: String, delegate: any SignUpVerifyCodeDelegate) {
        flow.perform(delegate, { [step] in try await step.submit(code) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.attributesRequired(let page)):
                delegate.onSignUpAttributesRequired(
                    attributes: page.required, newState: SignUpAttributesRequiredState(page, flow))
            case .done(.passwordRequired(let next)):
                delegate.onSignUpPasswordRequired(newState: SignUpPasswordRequiredState(next, flow))
            case .done(.completed(let end)):
                delegate.onSignUpCompleted(newState: SignInAfterSignUpState(end, flow))
            case .done(.codeRequired):
                delegate.onSignUpVerifyCodeError(error: VerifyCodeError(flow.general), newState: nil)
            case .failed(let failure, let retry):
                let error = VerifyCodeError(failure.isKnownToSignUpChallenge ? failure.withoutWords : failure)
                // The code is used up once the challenge is asked for that comes after it.
                let next = failure.isAt(SignUp.Challenge.path) ? retry?.code : error.isInvalidCode ? step : nil
                delegate.onSignUpVerifyCodeError(
                    error: error,
                    newState: failure.isLocal ? self : next.map { SignUpCodeRequiredState($0, flow) })
            }
        }
    }
}

/// A sign-up that waits for the password of the new account.
public final class SignUpPasswordRequiredState: SignUpBaseState, @unchecked Sendable {
    private let step: SignUpPassword

    init(_ step: SignUpPassword, _ flow: Flow) {
        self.step = step
        super.init(flow)
    }

    /// Submits the password.
    ///
    /// - Parameters:
    ///   - password: As the person typed it.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitPassword(password: String, delegate: any SignUpPasswordRequiredDelegate) {
        flow.perform(delegate, { [step] in try await step.submit(password) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.attributesRequired(let page)):
                delegate.onSignUpAttributesRequired(
                    attributes: page.required, newState: SignUpAttributesRequiredState(page, flow))
            case .done(.completed(let end)):
                delegate.onSignUpCompleted(newState: SignInAfterSignUpState(end, flow))
            case .done(.codeRequired), .done(.passwordRequired):
                delegate.onSignUpPasswordRequiredError(
                    error: PasswordRequiredError(flow.general), newState: nil)
            case .failed(let failure, _):
                let again = SignUpPasswordRequiredState(step, flow)
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

    init(_ page: SignUpAttributes, _ flow: Flow) {
        self.page = page
        super.init(flow)
    }

    /// Submits values for this page.
    ///
    /// - Parameters:
    ///   - attributes: By attribute name; values that JSON can hold.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitAttributes(attributes: [String: Any], delegate: any SignUpAttributesRequiredDelegate) {
        let values = AttributeValue.values(attributes)
        flow.perform(delegate, { [page] in try await page.submit(values.get()) }) { [self] delegate, outcome in
            switch outcome {
            case .done(.attributesRequired(let page)):
                delegate.onSignUpAttributesRequired(
                    attributes: page.required, newState: SignUpAttributesRequiredState(page, flow))
            case .done(.completed(let end)):
                delegate.onSignUpCompleted(newState: SignInAfterSignUpState(end, flow))
            case .done(.codeRequired), .done(.passwordRequired):
                delegate.onSignUpAttributesRequiredError(error: AttributesRequiredError(flow.general))
            case .failed(let failure, _):
                guard case .invalidAttributes(let names) = failure.error.reason else {
                    return delegate.onSignUpAttributesRequiredError(error: AttributesRequiredError(failure))
                }
                delegate.onSignUpAttributesInvalid(
                    attributeNames: names, newState: SignUpAttributesRequiredState(page, flow))
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
