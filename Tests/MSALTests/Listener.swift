// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MSAL
import Testing

typealias SignUpDelegates =
    SignUpStartDelegate & SignUpVerifyCodeDelegate & SignUpResendCodeDelegate & SignUpPasswordRequiredDelegate
    & SignUpAttributesRequiredDelegate
typealias SignInDelegates =
    SignInStartDelegate & SignInPasswordRequiredDelegate & SignInVerifyCodeDelegate & SignInResendCodeDelegate
    & SignInAfterSignUpDelegate & SignInAfterResetPasswordDelegate
typealias ResetPasswordDelegates =
    ResetPasswordStartDelegate & ResetPasswordVerifyCodeDelegate & ResetPasswordResendCodeDelegate
    & ResetPasswordRequiredDelegate
typealias StrongAuthDelegates =
    MFARequestChallengeDelegate & MFASubmitChallengeDelegate & RegisterStrongAuthChallengeDelegate
    & RegisterStrongAuthSubmitChallengeDelegate
/// All there are.
typealias Delegates =
    SignUpDelegates & SignInDelegates & ResetPasswordDelegates & StrongAuthDelegates & CredentialsDelegate

/// Takes down what a delegate is told. It has the methods that every delegate must have.
@MainActor
class Listener {
    private var heard: [Heard] = []
    private var waiting: CheckedContinuation<Void, Never>?

    /// Calls, and waits for the one word that comes of it: after the call, on the main queue, and no second one.
    func hears(_ call: () -> Void) async throws -> Heard {
        let before = heard.count
        call()
        #expect(heard.count == before, "told before the call returned")
        if heard.count == before { await withCheckedContinuation { waiting = $0 } }
        // Whatever else the call has set going comes to the main actor in these turns.
        for _ in 0..<8 { await Task.yield() }
        #expect(heard.count == before + 1, "told more than once")
        return try #require(heard.last)
    }

    func note(_ entry: Heard) {
        // The queue, not the thread: a program whose `main` is asynchronous has given up its first thread.
        dispatchPrecondition(condition: .onQueue(.main))
        heard.append(entry)
        waiting?.resume()
        waiting = nil
    }

    private func note(_ error: MSALNativeAuthError, _ state: NSObject? = nil, _ function: String = #function) {
        note(Heard(method: function.baseName, told: Told(error), error: error, state: state))
    }

    func onSignUpStartError(error: SignUpStartError) { note(error) }
    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) { note(error, newState) }
    func onSignUpResendCodeError(error: ResendCodeError, newState: SignUpCodeRequiredState?) { note(error, newState) }
    func onSignUpPasswordRequiredError(error: PasswordRequiredError, newState: SignUpPasswordRequiredState?) {
        note(error, newState)
    }
    func onSignUpAttributesRequiredError(error: AttributesRequiredError) { note(error) }
    func onSignInStartError(error: SignInStartError) { note(error) }
    func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?) {
        note(error, newState)
    }
    func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?) { note(error, newState) }
    func onSignInResendCodeError(error: ResendCodeError, newState: SignInCodeRequiredState?) { note(error, newState) }
    func onSignInAfterSignUpError(error: SignInAfterSignUpError) { note(error) }
    func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError) { note(error) }
    func onResetPasswordStartError(error: ResetPasswordStartError) { note(error) }
    func onResetPasswordVerifyCodeError(error: VerifyCodeError, newState: ResetPasswordCodeRequiredState?) {
        note(error, newState)
    }
    func onResetPasswordResendCodeError(error: ResendCodeError, newState: ResetPasswordCodeRequiredState?) {
        note(error, newState)
    }
    func onResetPasswordRequiredError(error: PasswordRequiredError, newState: ResetPasswordRequiredState?) {
        note(error, newState)
    }
    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) {
        note(error, newState)
    }
    func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?) {
        note(error, newState)
    }
    func onRegisterStrongAuthChallengeError(
        error: RegisterStrongAuthChallengeError, newState: RegisterStrongAuthState?
    ) {
        note(error, newState)
    }
    func onRegisterStrongAuthSubmitChallengeError(
        error: RegisterStrongAuthSubmitChallengeError, newState: RegisterStrongAuthVerificationRequiredState?
    ) {
        note(error, newState)
    }
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) { note(error) }
}

/// A delegate for everything that leaves out what it may.
final class Bare: Listener, Delegates {}

extension String {
    /// A method's name without its labels.
    var baseName: String { String(prefix { $0 != "(" }) }
}
