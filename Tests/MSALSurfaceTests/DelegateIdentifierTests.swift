// SPDX-License-Identifier: Apache-2.0

import MSAL
import Testing

/// The methods of every delegate, which are called by its own requirement and not by a default's.
struct DelegateIdentifierTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let delegate: String
        let methods: [String]
        var testDescription: String { delegate }

        init(_ delegate: String, _ methods: String...) {
            self.delegate = delegate
            self.methods = methods
        }
    }

    private static let delivery = "newState:sentTo:channelTargetType:codeLength:"
    private static let second = [
        "onSignInAwaitingMFA(authMethods:newState:)", "onSignInStrongAuthMethodRegistration(authMethods:newState:)",
        "onSignInCompleted(result:)",
    ]

    @Test(arguments: [
        Line(
            "SignUpStartDelegate", "onSignUpStartError(error:)", "onSignUpCodeRequired(\(delivery))",
            "onSignUpAttributesInvalid(attributeNames:)"),
        Line(
            "SignUpVerifyCodeDelegate", "onSignUpVerifyCodeError(error:newState:)",
            "onSignUpAttributesRequired(attributes:newState:)", "onSignUpPasswordRequired(newState:)",
            "onSignUpCompleted(newState:)"),
        Line(
            "SignUpResendCodeDelegate", "onSignUpResendCodeError(error:newState:)",
            "onSignUpResendCodeCodeRequired(\(delivery))"),
        Line(
            "SignUpPasswordRequiredDelegate", "onSignUpPasswordRequiredError(error:newState:)",
            "onSignUpAttributesRequired(attributes:newState:)", "onSignUpCompleted(newState:)"),
        Line(
            "SignUpAttributesRequiredDelegate", "onSignUpAttributesRequiredError(error:)",
            "onSignUpAttributesRequired(attributes:newState:)", "onSignUpAttributesInvalid(attributeNames:newState:)",
            "onSignUpCompleted(newState:)"),
        Line(
            "SignInStartDelegate", "onSignInStartError(error:)", "onSignInCodeRequired(\(delivery))",
            "onSignInPasswordRequired(newState:)", second[0], second[1], second[2]),
        Line(
            "SignInPasswordRequiredDelegate", "onSignInPasswordRequiredError(error:newState:)", second[0], second[1],
            second[2]),
        Line(
            "SignInVerifyCodeDelegate", "onSignInVerifyCodeError(error:newState:)", second[0], second[1], second[2]),
        Line(
            "SignInResendCodeDelegate", "onSignInResendCodeError(error:newState:)",
            "onSignInResendCodeCodeRequired(\(delivery))"),
        Line("SignInAfterSignUpDelegate", "onSignInAfterSignUpError(error:)", second[0], second[1], second[2]),
        Line(
            "SignInAfterResetPasswordDelegate", "onSignInAfterResetPasswordError(error:)", second[0], second[1],
            second[2]),
        Line(
            "ResetPasswordStartDelegate", "onResetPasswordStartError(error:)",
            "onResetPasswordCodeRequired(\(delivery))"),
        Line(
            "ResetPasswordVerifyCodeDelegate", "onResetPasswordVerifyCodeError(error:newState:)",
            "onPasswordRequired(newState:)"),
        Line(
            "ResetPasswordResendCodeDelegate", "onResetPasswordResendCodeError(error:newState:)",
            "onResetPasswordResendCodeRequired(\(delivery))"),
        Line(
            "ResetPasswordRequiredDelegate", "onResetPasswordRequiredError(error:newState:)",
            "onResetPasswordCompleted(newState:)"),
        Line(
            "MFARequestChallengeDelegate", "onMFARequestChallengeError(error:newState:)",
            "onMFARequestChallengeVerificationRequired(\(delivery))",
            "onMFARequestChallengeSelectionRequired(authMethods:newState:)"),
        Line("MFASubmitChallengeDelegate", "onMFASubmitChallengeError(error:newState:)", second[2]),
        Line(
            "RegisterStrongAuthChallengeDelegate", "onRegisterStrongAuthChallengeError(error:newState:)",
            "onRegisterStrongAuthVerificationRequired(result:)", second[2]),
        Line(
            "RegisterStrongAuthSubmitChallengeDelegate", "onRegisterStrongAuthSubmitChallengeError(error:newState:)",
            second[2]),
        Line(
            "CredentialsDelegate", "onAccessTokenRetrieveError(error:)", "onAccessTokenRetrieveCompleted(result:)"),
    ])
    func requirements(_ line: Line) async throws {
        let members = try await SymbolGraph.of("MSAL").symbols.filter { $0.pathComponents.first == line.delegate }
        #expect(Set(members.compactMap { $0.pathComponents.dropFirst().first }) == Set(line.methods))
    }
}
