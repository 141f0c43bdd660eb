// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL

// Delegates of every kind that apps have. Each makes its next call inside of a callback, from the sign-up to a token.

/// What all of them say when it is over.
typealias Finish = (String) -> Void

/// No isolation, not `Sendable`, with state of its own.
final class PlainDelegate {
    private let finish: Finish
    private var steps: [String] = []

    init(finish: @escaping Finish) { self.finish = finish }
}

extension PlainDelegate: SignUpStartDelegate {
    func onSignUpStartError(error: SignUpStartError) { finish(error.localizedDescription) }

    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        steps.append("code")
        newState.submitCode(code: "12345678", delegate: self)
    }
}

extension PlainDelegate: SignUpVerifyCodeDelegate {
    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        finish(error.localizedDescription)
    }

    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState
    ) {
        steps.append(attributes.map(\.name).joined(separator: "+"))
        newState.submitAttributes(attributes: ["displayName": "Mira"], delegate: self)
    }

    func onSignUpCompleted(newState: SignInAfterSignUpState) {
        steps.append("completed")
        newState.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: self)
    }
}

extension PlainDelegate: SignUpAttributesRequiredDelegate {
    func onSignUpAttributesRequiredError(error: AttributesRequiredError) { finish(error.localizedDescription) }
}

extension PlainDelegate: SignInAfterSignUpDelegate {
    func onSignInAfterSignUpError(error: SignInAfterSignUpError) { finish(error.localizedDescription) }

    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        steps.append(result.account.username ?? "")
        result.getAccessToken(parameters: MSALNativeAuthGetAccessTokenParameters(), delegate: self)
    }
}

extension PlainDelegate: CredentialsDelegate {
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) { finish(error.localizedDescription) }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        finish((steps + [result.accessToken]).joined(separator: " "))
    }
}

/// On the main actor as a whole, as a screen of an app is.
@MainActor
final class ScreenDelegate: SignUpStartDelegate, SignUpVerifyCodeDelegate, SignUpAttributesRequiredDelegate,
    SignInAfterSignUpDelegate, CredentialsDelegate
{
    private let finish: Finish
    private var steps: [String] = []

    init(finish: @escaping Finish) { self.finish = finish }

    func onSignUpStartError(error: SignUpStartError) { finish(error.localizedDescription) }
    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        finish(error.localizedDescription)
    }
    func onSignUpAttributesRequiredError(error: AttributesRequiredError) { finish(error.localizedDescription) }
    func onSignInAfterSignUpError(error: SignInAfterSignUpError) { finish(error.localizedDescription) }
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) { finish(error.localizedDescription) }

    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        steps.append("code")
        newState.submitCode(code: "12345678", delegate: self)
    }

    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState
    ) {
        steps.append(attributes.map(\.name).joined(separator: "+"))
        newState.submitAttributes(attributes: ["displayName": "Mira"], delegate: self)
    }

    func onSignUpCompleted(newState: SignInAfterSignUpState) {
        steps.append("completed")
        newState.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: self)
    }

    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        steps.append(result.account.username ?? "")
        result.getAccessToken(parameters: MSALNativeAuthGetAccessTokenParameters(), delegate: self)
    }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        finish((steps + [result.accessToken]).joined(separator: " "))
    }
}

/// One small object for each call, which nobody else holds.
final class StartDelegate: SignUpStartDelegate {
    let finish: Finish
    init(finish: @escaping Finish) { self.finish = finish }

    func onSignUpStartError(error: MSAL.SignUpStartError) { finish(error.localizedDescription) }

    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        newState.submitCode(code: "12345678", delegate: VerifyDelegate(finish: finish))
    }
}

final class VerifyDelegate: SignUpVerifyCodeDelegate {
    let finish: Finish
    init(finish: @escaping Finish) { self.finish = finish }

    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        finish(error.localizedDescription)
    }

    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState
    ) {
        let names = attributes.map(\.name).joined(separator: "+")
        let rest = PlainDelegate { [finish] in finish("code \(names) \($0)") }
        newState.submitAttributes(attributes: ["displayName": "Mira"], delegate: rest)
    }
}

/// An object of Foundation's, which other objects may own weakly.
class ControllerDelegate: NSObject, SignUpStartDelegate {
    let finish: Finish
    init(finish: @escaping Finish) { self.finish = finish }

    func onSignUpStartError(error: SignUpStartError) { finish(error.localizedDescription) }

    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        newState.submitCode(code: "12345678", delegate: VerifyDelegate(finish: finish))
    }
}

/// Safe to be used from anywhere.
final class SendableDelegate: SignUpStartDelegate, Sendable {
    private let finish: @Sendable (String) -> Void
    init(finish: @escaping @Sendable (String) -> Void) { self.finish = finish }

    func onSignUpStartError(error: SignUpStartError) { finish(error.localizedDescription) }

    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        // A state may leave the main actor.
        let finish = finish
        Task.detached { newState.submitCode(code: "12345678", delegate: VerifyDelegate(finish: finish)) }
    }
}
