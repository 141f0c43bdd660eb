// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL

/// A delegate for everything that leaves out nothing.
final class Recorder: Listener, Delegates {
    private func note(
        _ values: [String], _ state: NSObject? = nil, methods: [MSALAuthMethod] = [],
        account: MSALNativeAuthUserAccountResult? = nil, tokens: MSALNativeAuthTokenResult? = nil,
        _ function: String = #function
    ) {
        note(
            Heard(
                method: function.baseName, told: .done(function.baseName, values), state: state, methods: methods,
                account: account, tokens: tokens))
    }

    // MARK: Sign-up

    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        note([sentTo, channelTargetType.value, "\(codeLength)"], newState)
    }
    func onSignUpAttributesInvalid(attributeNames: [String]) { note(attributeNames) }
    func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState) {
        note(attributeNames, newState)
    }
    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute], newState: SignUpAttributesRequiredState
    ) {
        note(
            attributes.map { "\($0.name) \($0.type) \($0.required ? "required" : "optional") \($0.regex ?? "-")" },
            newState)
    }
    func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState) { note([], newState) }
    func onSignUpCompleted(newState: SignInAfterSignUpState) { note([], newState) }
    func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        note([sentTo, channelTargetType.value, "\(codeLength)"], newState)
    }

    // MARK: Sign-in

    func onSignInCodeRequired(
        newState: SignInCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        note([sentTo, channelTargetType.value, "\(codeLength)"], newState)
    }
    func onSignInPasswordRequired(newState: SignInPasswordRequiredState) { note([], newState) }
    func onSignInStrongAuthMethodRegistration(authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState) {
        note(authMethods.map(\.text), newState, methods: authMethods)
    }
    func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        note(authMethods.map(\.text), newState, methods: authMethods)
    }
    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        note([result.account.username ?? "-"], account: result)
    }
    func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        note([sentTo, channelTargetType.value, "\(codeLength)"], newState)
    }

    // MARK: Password reset

    func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        note([sentTo, channelTargetType.value, "\(codeLength)"], newState)
    }
    func onPasswordRequired(newState: ResetPasswordRequiredState) { note([], newState) }
    func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        note([sentTo, channelTargetType.value, "\(codeLength)"], newState)
    }
    func onResetPasswordCompleted(newState: SignInAfterResetPasswordState) { note([], newState) }

    // MARK: Strong methods, and tokens

    func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState, sentTo: String, channelTargetType: MSALNativeAuthChannelType, codeLength: Int
    ) {
        note([sentTo, channelTargetType.value, "\(codeLength)"], newState)
    }
    func onMFARequestChallengeSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState) {
        note(authMethods.map(\.text), newState)
    }
    func onRegisterStrongAuthVerificationRequired(result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult) {
        note([result.sentTo, result.channelTargetType.value, "\(result.codeLength)"], result.newState)
    }
    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        note(
            [result.accessToken, result.scopes.sorted().joined(separator: " "), result.refreshToken ?? "-"],
            tokens: result)
    }
}

extension MSALAuthMethod {
    fileprivate var text: String { "\(id) \(challengeType) \(channelTargetType.value) \(loginHint ?? "-")" }
}
