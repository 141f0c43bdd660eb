// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting

// The methods that follow a sign-up.
extension MissingMethodTests {
    private nonisolated static let begun = Line.ok(Said.token("CT1"))
    private nonisolated static let code = Line.ok(Said.codeSent("CT2"))
    private nonisolated static let password = Line.ok(Said.passwordWanted("CT2"))
    private nonisolated static let factor = Line.refused(Said.multiFactorRequired("CT7"))
    private nonisolated static let methods = Line.ok(Said.methods("CT8"))
    private nonisolated static let registration = Line.refused(Said.registrationRequired("CT7"))
    private nonisolated static let registrable = Line.ok(Said.registrable("CT8"))

    nonisolated static let signIn: [Case] =
        [
            Case("onSignInStartError", "onSignInCodeRequired", begun, code, call: start),
            Case("onSignInStartError", "onSignInPasswordRequired", begun, password) { scene in
                { scene.app.signIn(parameters: scene.signIn(), delegate: $0) }
            },
            Case("onSignInResendCodeError", "onSignInResendCodeCodeRequired", code) { scene in
                let state = try await scene.signInCode()
                return { state.resendCode(delegate: $0) }
            },
        ] + ends("onSignInStartError", after: begun, password, call: start)
        + ends("onSignInPasswordRequiredError") { scene in
            let state = try await scene.signInPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        }
        + ends("onSignInVerifyCodeError") { scene in
            let state = try await scene.signInCode()
            return { state.submitCode(code: "1", delegate: $0) }
        }

    nonisolated static let after: [Case] =
        ends("onSignInAfterSignUpError") { scene in
            let state = try await scene.afterSignUp()
            return { state.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: $0) }
        }
        + ends("onSignInAfterResetPasswordError") { scene in
            let state = try await scene.afterReset()
            return { state.signIn(parameters: MSALNativeAuthSignInAfterResetPasswordParameters(), delegate: $0) }
        }

    @MainActor private static func start(_ scene: AppScene) -> @MainActor (any Listener & Delegates) -> Void {
        { scene.app.signIn(parameters: scene.signIn(password: "p"), delegate: $0) }
    }

    /// What a first factor can lead to.
    private nonisolated static func ends(
        _ errorMethod: String, after said: Line...,
        call: @escaping AppCall
    ) -> [Case] {
        [
            Case(errorMethod, "onSignInCompleted", said + [.tokens], call),
            Case(errorMethod, "onSignInAwaitingMFA", said + [factor, methods], call),
            Case(errorMethod, "onSignInStrongAuthMethodRegistration", said + [registration, registrable], call),
        ]
    }

    nonisolated static let reset: [Case] = [
        Case("onResetPasswordStartError", "onResetPasswordCodeRequired", begun, code) { scene in
            { scene.app.resetPassword(parameters: scene.reset(), delegate: $0) }
        },
        Case("onResetPasswordVerifyCodeError", "onPasswordRequired", .ok(Said.codeRight("CT3"))) { scene in
            let state = try await scene.resetCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Case("onResetPasswordResendCodeError", "onResetPasswordResendCodeRequired", code) { scene in
            let state = try await scene.resetCode()
            return { state.resendCode(delegate: $0) }
        },
        Case(
            "onResetPasswordRequiredError", "onResetPasswordCompleted", .ok(Said.submitted("CT4")),
            .ok(Said.succeeded("CT5"))
        ) { scene in
            let state = try await scene.newPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        },
    ]

    nonisolated static let strong: [Case] = [
        Case("onMFARequestChallengeError", "onMFARequestChallengeVerificationRequired", code) { scene in
            let state = try await scene.awaitingMFA()
            return { state.requestChallenge(authMethod: scene.methods[0], delegate: $0) }
        },
        Case("onMFARequestChallengeError", "onMFARequestChallengeVerificationRequired", code) { scene in
            let state = try await scene.mfaCode()
            return { state.requestChallenge(authMethod: scene.methods[0], delegate: $0) }
        },
        Case("onMFASubmitChallengeError", "onSignInCompleted", .tokens) { scene in
            let state = try await scene.mfaCode()
            return { state.submitChallenge(challenge: "1", delegate: $0) }
        },
        Case(
            "onRegisterStrongAuthChallengeError", "onRegisterStrongAuthVerificationRequired",
            .ok(Said.contactCodeSent("CT9"))
        ) { scene in
            let state = try await scene.registration()
            return { state.challengeAuthMethod(parameters: scene.contact(), delegate: $0) }
        },
        Case(
            "onRegisterStrongAuthChallengeError", "onSignInCompleted", .ok(Said.preverified("CT9")), begun, .tokens
        ) { scene in
            let state = try await scene.registrationCode()
            return { state.challengeAuthMethod(parameters: scene.contact(), delegate: $0) }
        },
        Case("onRegisterStrongAuthSubmitChallengeError", "onSignInCompleted", begun, .tokens) { scene in
            let state = try await scene.registrationCode()
            return { state.submitChallenge(challenge: "1", delegate: $0) }
        },
    ]

    nonisolated static let token: [Case] = [
        Case("onAccessTokenRetrieveError", "onAccessTokenRetrieveCompleted") { scene in
            let account = try await scene.account()
            let parameters = MSALNativeAuthGetAccessTokenParameters()
            parameters.correlationId = scene.id
            return { account.getAccessToken(parameters: parameters, delegate: $0) }
        }
    ]
}
