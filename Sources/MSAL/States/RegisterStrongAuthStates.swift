// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// A sign-in that waits for a strong method to be registered.
public final class RegisterStrongAuthState: RegisterStrongAuthBaseState, @unchecked Sendable {
    private let place: RegistrationPlace

    convenience init(_ choice: RegistrationChoice, _ flow: Flow) {
        self.init(.choice(choice), flow)
    }

    fileprivate init(_ place: RegistrationPlace, _ flow: Flow) {
        self.place = place
        super.init(flow)
    }

    /// Registers a contact, and has a code sent to it.
    ///
    /// - Parameters:
    ///   - parameters: The method and the contact.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func challengeAuthMethod(
        parameters: MSALNativeAuthChallengeAuthMethodParameters, delegate: any RegisterStrongAuthChallengeDelegate
    ) {
        register(parameters, at: place, local: self, delegate)
    }
}

/// A sign-in that waits for the code that went to a new contact.
public final class RegisterStrongAuthVerificationRequiredState: RegisterStrongAuthBaseState, @unchecked Sendable {
    private let step: RegistrationCode

    init(_ step: RegistrationCode, _ flow: Flow) {
        self.step = step
        super.init(flow)
    }

    /// Submits the code, and signs in.
    ///
    /// - Parameters:
    ///   - challenge: The digits, without blanks.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitChallenge(challenge: String, delegate: any RegisterStrongAuthSubmitChallengeDelegate) {
        flow.perform(delegate, { [step] in try await step.submit(challenge) }) { [self] delegate, outcome in
            switch SignInOutcome(outcome, flow) {
            case .completed(let result):
                delegate.onSignInCompleted(result: result)
            case .awaitingMFA, .registration:
                delegate.onRegisterStrongAuthSubmitChallengeError(
                    error: RegisterStrongAuthSubmitChallengeError(flow.general), newState: nil)
            case .other(_, let failure, let retry):
                let error = RegisterStrongAuthSubmitChallengeError(failure)
                let isOpen = failure.isAt(Register.Continue.path) && !error.isBrowserRequired
                let again = isOpen ? step : retry?.registrationCode
                delegate.onRegisterStrongAuthSubmitChallengeError(
                    error: error,
                    newState: failure.isLocal
                        ? self : again.map { RegisterStrongAuthVerificationRequiredState($0, flow) })
            }
        }
    }

    /// Has the code sent again, or registers another contact instead.
    public func challengeAuthMethod(
        parameters: MSALNativeAuthChallengeAuthMethodParameters, delegate: any RegisterStrongAuthChallengeDelegate
    ) {
        register(parameters, at: .code(step), local: nil, delegate)
    }
}

// MARK: - The choice of a contact

/// Where a contact can be named: a failed wish leaves a state that can name another one.
private enum RegistrationPlace: Sendable {
    case choice(RegistrationChoice)
    case code(RegistrationCode)

    func register(_ method: AuthenticationMethod, _ contact: String) async throws(StepError<SignInStep>) -> SignInStep {
        switch self {
        case .choice(let choice): try await choice.register(method, contact: contact)
        case .code(let code): try await code.register(method, contact: contact)
        }
    }

    init?(_ step: SignInStep?) {
        switch step {
        case .registrationRequired(let choice): self = .choice(choice)
        case .registrationCodeRequired(let code): self = .code(code)
        default: return nil
        }
    }
}

extension RegisterStrongAuthBaseState {
    /// - Parameter local: The state that goes on where the contact is empty.
    fileprivate func register(
        _ parameters: MSALNativeAuthChallengeAuthMethodParameters, at place: RegistrationPlace,
        local: RegisterStrongAuthState?, _ delegate: any RegisterStrongAuthChallengeDelegate
    ) {
        let (method, contact) = (parameters.authMethod.method, parameters.verificationContact)
        flow.perform(delegate, { try await place.register(method, contact) }) { [self] delegate, outcome in
            if case .done(.registrationCodeRequired(let next)) = outcome {
                let state = RegisterStrongAuthVerificationRequiredState(next, flow)
                return delegate.onRegisterStrongAuthVerificationRequired(result: .init(state, next.delivery))
            }
            switch SignInOutcome(outcome, flow) {
            case .completed(let result):
                delegate.onSignInCompleted(result: result)
            case .awaitingMFA, .registration:
                delegate.onRegisterStrongAuthChallengeError(
                    error: RegisterStrongAuthChallengeError(flow.general), newState: nil)
            case .other(_, let failure, let retry):
                let error = RegisterStrongAuthChallengeError(failure)
                let isOpen = failure.isAt(Register.Challenge.path) && !error.isBrowserRequired
                let again = isOpen ? place : RegistrationPlace(retry)
                delegate.onRegisterStrongAuthChallengeError(
                    error: error,
                    newState: failure.isLocal ? local : again.map { RegisterStrongAuthState($0, flow) })
            }
        }
    }
}

extension SignInStep {
    fileprivate var registrationCode: RegistrationCode? {
        if case .registrationCodeRequired(let step) = self { step } else { nil }
    }
}
