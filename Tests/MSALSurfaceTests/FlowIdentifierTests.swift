// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import Testing

/// The identifiers of flows: states, results, errors. Apps cannot make one of them, so their types are the test.
struct FlowIdentifierTests {
    private static let values: [Identifier] = [
        .compiles(
            "MSALAuthMethod",
            { (method: MSALAuthMethod) in
                let _: (String, String, MSALNativeAuthChannelType, String?) =
                    (method.id, method.challengeType, method.channelTargetType, method.loginHint)
            }),
        .compiles(
            "MSALNativeAuthChannelType",
            { (channel: MSALNativeAuthChannelType) in
                let _: (String, Bool, Bool) = (channel.value, channel.isEmailType, channel.isSMSType)
            }),
        .compiles(
            "MSALNativeAuthRequiredAttribute",
            { (attribute: MSALNativeAuthRequiredAttribute) in
                let _: (String, String, Bool, String?) = (
                    attribute.name, attribute.type, attribute.required, attribute.regex
                )
            }),
    ]

    private static let states: [Identifier] = [
        .compiles(
            "SignUpCodeRequiredState",
            (
                SignUpCodeRequiredState.resendCode(delegate:)
                    as (SignUpCodeRequiredState) -> (any SignUpResendCodeDelegate) -> Void,
                SignUpCodeRequiredState.submitCode(code:delegate:)
                    as (SignUpCodeRequiredState) -> (String, any SignUpVerifyCodeDelegate) -> Void,
                SignUpCodeRequiredState.self as SignUpBaseState.Type as MSALNativeAuthBaseState.Type
            )),
        .compiles(
            "SignUpPasswordRequiredState",
            (
                SignUpPasswordRequiredState.submitPassword(password:delegate:)
                    as (SignUpPasswordRequiredState) -> (String, any SignUpPasswordRequiredDelegate) -> Void,
                SignUpPasswordRequiredState.self as SignUpBaseState.Type
            )),
        .compiles(
            "SignUpAttributesRequiredState",
            (
                SignUpAttributesRequiredState.submitAttributes(attributes:delegate:)
                    as (SignUpAttributesRequiredState) -> ([String: Any], any SignUpAttributesRequiredDelegate) -> Void,
                SignUpAttributesRequiredState.self as SignUpBaseState.Type
            )),
        .compiles(
            "SignInCodeRequiredState",
            (
                SignInCodeRequiredState.resendCode(delegate:)
                    as (SignInCodeRequiredState) -> (any SignInResendCodeDelegate) -> Void,
                SignInCodeRequiredState.submitCode(code:delegate:)
                    as (SignInCodeRequiredState) -> (String, any SignInVerifyCodeDelegate) -> Void,
                SignInCodeRequiredState.self as SignInBaseState.Type as MSALNativeAuthBaseState.Type
            )),
        .compiles(
            "SignInPasswordRequiredState",
            (
                SignInPasswordRequiredState.submitPassword(password:delegate:)
                    as (SignInPasswordRequiredState) -> (String, any SignInPasswordRequiredDelegate) -> Void,
                SignInPasswordRequiredState.self as SignInBaseState.Type
            )),
        .compiles(
            "ResetPasswordCodeRequiredState",
            (
                ResetPasswordCodeRequiredState.resendCode(delegate:)
                    as (ResetPasswordCodeRequiredState) -> (any ResetPasswordResendCodeDelegate) -> Void,
                ResetPasswordCodeRequiredState.submitCode(code:delegate:)
                    as (ResetPasswordCodeRequiredState) -> (String, any ResetPasswordVerifyCodeDelegate) -> Void,
                ResetPasswordCodeRequiredState.self as ResetPasswordBaseState.Type as MSALNativeAuthBaseState.Type
            )),
        .compiles(
            "ResetPasswordRequiredState",
            (
                ResetPasswordRequiredState.submitPassword(password:delegate:)
                    as (ResetPasswordRequiredState) -> (String, any ResetPasswordRequiredDelegate) -> Void,
                ResetPasswordRequiredState.self as ResetPasswordBaseState.Type
            )),
        .compiles(
            "AwaitingMFAState",
            (
                AwaitingMFAState.requestChallenge(authMethod:delegate:)
                    as (AwaitingMFAState) -> (MSALAuthMethod, any MFARequestChallengeDelegate) -> Void,
                AwaitingMFAState.self as MFABaseState.Type as MSALNativeAuthBaseState.Type
            )),
        .compiles(
            "MFARequiredState",
            (
                MFARequiredState.requestChallenge(authMethod:delegate:)
                    as (MFARequiredState) -> (MSALAuthMethod, any MFARequestChallengeDelegate) -> Void,
                MFARequiredState.submitChallenge(challenge:delegate:)
                    as (MFARequiredState) -> (String, any MFASubmitChallengeDelegate) -> Void,
                MFARequiredState.self as MFABaseState.Type
            )),
        .compiles(
            "RegisterStrongAuthState",
            (
                RegisterStrongAuthState.challengeAuthMethod(parameters:delegate:)
                    as (RegisterStrongAuthState)
                    -> (MSALNativeAuthChallengeAuthMethodParameters, any RegisterStrongAuthChallengeDelegate) -> Void,
                RegisterStrongAuthState.self as RegisterStrongAuthBaseState.Type as MSALNativeAuthBaseState.Type
            )),
        .compiles(
            "RegisterStrongAuthVerificationRequiredState",
            (
                RegisterStrongAuthVerificationRequiredState.submitChallenge(challenge:delegate:)
                    as (RegisterStrongAuthVerificationRequiredState)
                    -> (String, any RegisterStrongAuthSubmitChallengeDelegate) -> Void,
                RegisterStrongAuthVerificationRequiredState.challengeAuthMethod(parameters:delegate:)
                    as (RegisterStrongAuthVerificationRequiredState)
                    -> (MSALNativeAuthChallengeAuthMethodParameters, any RegisterStrongAuthChallengeDelegate) -> Void,
                RegisterStrongAuthVerificationRequiredState.self as RegisterStrongAuthBaseState.Type
            )),
        .compiles(
            "SignInAfterSignUpState",
            (
                SignInAfterSignUpState.signIn(parameters:delegate:)
                    as (SignInAfterSignUpState)
                    -> (MSALNativeAuthSignInAfterSignUpParameters, any SignInAfterSignUpDelegate) -> Void,
                SignInAfterSignUpState.self as SignInAfterPreviousFlowBaseState.Type
            )),
        .compiles(
            "SignInAfterResetPasswordState",
            (
                SignInAfterResetPasswordState.signIn(parameters:delegate:)
                    as (SignInAfterResetPasswordState)
                    -> (MSALNativeAuthSignInAfterResetPasswordParameters, any SignInAfterResetPasswordDelegate) -> Void,
                SignInAfterResetPasswordState.self as SignInAfterPreviousFlowBaseState.Type
            )),
    ]

    private static let results: [Identifier] = [
        .compiles(
            "MSALNativeAuthUserAccountResult",
            { (result: MSALNativeAuthUserAccountResult, other: MSALAccount) in
                result.account = other
                let _: String? = result.idToken
                result.signOut()
            }),
        .compiles(
            "getAccessToken",
            MSALNativeAuthUserAccountResult.getAccessToken(parameters:delegate:)
                as (MSALNativeAuthUserAccountResult)
                -> (MSALNativeAuthGetAccessTokenParameters, any CredentialsDelegate) -> Void),
        .compiles(
            "MSALNativeAuthTokenResult",
            { (result: MSALNativeAuthTokenResult) in
                let _: (String, String?, [String], Date?) =
                    (result.accessToken, result.refreshToken, result.scopes, result.expiresOn)
            }),
        .compiles(
            "MSALNativeAuthRegisterStrongAuthVerificationRequiredResult",
            {
                (result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult) in
                let _: (RegisterStrongAuthVerificationRequiredState, String, MSALNativeAuthChannelType, Int) =
                    (result.newState, result.sentTo, result.channelTargetType, result.codeLength)
            }),
        .compiles(
            "MSALAccount",
            { (account: MSALAccount) in
                let _: (String?, String?, String, [String: Any]?, [MSALTenantProfile]?, MSALAccountId?, Bool) = (
                    account.username, account.identifier, account.environment, account.accountClaims,
                    account.tenantProfiles, account.homeAccountId, account.isSSOAccount
                )
            }),
        .compiles(
            "MSALAccountId",
            { (id: MSALAccountId) in
                let _: (String, String?, String?) = (id.identifier, id.objectId, id.tenantId)
            }),
    ]

    private static let errors: [Identifier] = [
        .compiles(
            "MSALNativeAuthError",
            { (error: MSALNativeAuthError) in
                let _: (String?, UUID, [Int], String?) =
                    (error.errorDescription, error.correlationId, error.errorCodes, error.errorUri)
                let localized: any LocalizedError = error
                return (error as any Error).localizedDescription == localized.errorDescription
            }),
        .compiles(
            "MSALNativeAuthGenericError",
            { (error: MSALNativeAuthGenericError) in
                (error.isBrowserRequired, error as MSALNativeAuthError)
            }),
        .compiles("AttributesRequiredError", AttributesRequiredError.self as MSALNativeAuthGenericError.Type),
        .compiles("ResendCodeError", ResendCodeError.self as MSALNativeAuthGenericError.Type),
        .compiles("SignInAfterSignUpError", SignInAfterSignUpError.self as MSALNativeAuthGenericError.Type),
        .compiles(
            "SignInAfterResetPasswordError", SignInAfterResetPasswordError.self as MSALNativeAuthGenericError.Type),
        .compiles(
            "SignUpStartError",
            { (error: SignUpStartError) in
                [error.isBrowserRequired, error.isUserAlreadyExists, error.isInvalidPassword, error.isInvalidUsername]
            }),
        .compiles("MSAL.SignUpStartError", { (error: MSAL.SignUpStartError) in error as MSALNativeAuthError }),
        .compiles(
            "SignInStartError",
            { (error: SignInStartError) in
                [error.isBrowserRequired, error.isUserNotFound, error.isInvalidCredentials, error.isInvalidUsername]
            }),
        .compiles(
            "ResetPasswordStartError",
            { (error: ResetPasswordStartError) in
                [
                    error.isBrowserRequired, error.isUserDoesNotHavePassword, error.isUserNotFound,
                    error.isInvalidUsername,
                ]
            }),
        .compiles("VerifyCodeError", { (error: VerifyCodeError) in [error.isBrowserRequired, error.isInvalidCode] }),
        .compiles(
            "PasswordRequiredError",
            { (error: PasswordRequiredError) in
                [error.isBrowserRequired, error.isInvalidPassword]
            }),
        .compiles(
            "MFARequestChallengeError",
            { (error: MFARequestChallengeError) in
                [error.isAuthMethodBlocked, error.isBrowserRequired]
            }),
        .compiles(
            "MFASubmitChallengeError",
            { (error: MFASubmitChallengeError) in
                [error.isInvalidChallenge, error.isBrowserRequired]
            }),
        .compiles(
            "RegisterStrongAuthChallengeError",
            { (error: RegisterStrongAuthChallengeError) in
                [error.isInvalidInput, error.isBrowserRequired, error.isVerificationContactBlocked]
            }),
        .compiles(
            "RegisterStrongAuthSubmitChallengeError",
            { (error: RegisterStrongAuthSubmitChallengeError) in
                [error.isInvalidChallenge, error.isBrowserRequired]
            }),
        .compiles(
            "RetrieveAccessTokenError",
            { (error: RetrieveAccessTokenError) in
                [error.isBrowserRequired, error.isRefreshTokenExpired, error.isInvalidScope]
            }),
    ]

    @Test(arguments: values + states + results + errors)
    func exists(_ identifier: Identifier) throws {
        #expect(try identifier.holds())
    }
}
