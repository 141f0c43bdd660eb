// SPDX-License-Identifier: Apache-2.0

import NativeAuth
import Wire

/// A sign-in that waits for the choice of a second factor.
public final class AwaitingMFAState: MFABaseState, @unchecked Sendable {
    private let choice: MultiFactorChoice

    init(_ choice: MultiFactorChoice, _ flow: Flow) {
        self.choice = choice
        super.init(flow)
    }

    /// Has a code sent.
    ///
    /// - Parameters:
    ///   - authMethod: One of the methods that came with this state.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func requestChallenge(authMethod: MSALAuthMethod, delegate: any MFARequestChallengeDelegate) {
        MFARequiredState(.choice(choice), flow)
            .requestChallenge(authMethod: authMethod, delegate: delegate)
    }
}

/// A sign-in that waits for the code of a second factor.
public final class MFARequiredState: MFABaseState, @unchecked Sendable {
    private let place: MFAPlace

    init(_ place: MFAPlace, _ flow: Flow) {
        self.place = place
        super.init(flow)
    }

    /// Has a code sent again, or by another method.
    ///
    /// - Parameters:
    ///   - authMethod: One of the methods that the sign-in offered.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func requestChallenge(authMethod: MSALAuthMethod, delegate: any MFARequestChallengeDelegate) {
        flow.perform(delegate, { [place] in try await place.challenge(authMethod.method) }) {
            [self] delegate, outcome in
            switch outcome {
            case .done(.multiFactorCodeRequired(let next)):
                delegate.onMFARequestChallengeVerificationRequired(
                    newState: MFARequiredState(.code(next), flow), sentTo: next.delivery.sentTo,
                    channelTargetType: next.delivery.channelType, codeLength: next.delivery.codeLength)
            case .done:
                delegate.onMFARequestChallengeError(
                    error: MFARequestChallengeError(flow.general), newState: nil)
            case .failed(let failure, _):
                delegate.onMFARequestChallengeError(
                    error: MFARequestChallengeError(failure),
                    newState: failure.isPasswordWanted || failure.isOfDelegate ? nil : again)
            }
        }
    }

    /// Submits the code.
    ///
    /// - Parameters:
    ///   - challenge: The digits, without blanks.
    ///   - delegate: Hears, on the main actor, what comes next, or an error and the state to try again from, if any.
    public func submitChallenge(challenge: String, delegate: any MFASubmitChallengeDelegate) {
        flow.perform(delegate, { [place] in try await place.submit(challenge) }) { [self] delegate, outcome in
            switch SignInOutcome(outcome, flow) {
            case .completed(let result):
                delegate.onSignInCompleted(result: result)
            case .awaitingMFA, .registration:
                delegate.onMFASubmitChallengeError(error: MFASubmitChallengeError(flow.general), newState: nil)
            case .other(_, let failure, _):
                let next = failure.isQuestionAgain || failure.isOfDelegate ? nil : again
                delegate.onMFASubmitChallengeError(
                    error: MFASubmitChallengeError(failure), newState: failure.isLocal ? self : next)
            }
        }
    }

    private var again: MFARequiredState { MFARequiredState(place, flow) }
}

/// Where a second factor can be tried again from: a failed wish for a code leaves a state that has none yet.
enum MFAPlace: Sendable {
    case choice(MultiFactorChoice)
    case code(MultiFactorCode)

    func challenge(_ method: AuthenticationMethod) async throws(StepError<SignInStep>) -> SignInStep {
        switch self {
        case .choice(let choice): try await choice.challenge(method)
        case .code(let code): try await code.challenge(method)
        }
    }

    func submit(_ code: String) async throws(StepError<SignInStep>) -> SignInStep {
        switch self {
        case .choice(let choice): try await choice.submit(code)
        case .code(let step): try await step.submit(code)
        }
    }
}

extension Failure {
    /// The tenant wants a password as the second factor, which no app can give.
    fileprivate var isPasswordWanted: Bool { error.reason == .unexpectedAnswer(.challengeType("password")) }

    /// The tenant asks for a further factor after the last one.
    fileprivate var isQuestionAgain: Bool {
        if case .unexpectedAnswer(.word) = error.reason { true } else { false }
    }
}
