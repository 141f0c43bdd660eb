// SPDX-License-Identifier: Apache-2.0

import MSAL
import TenantTesting
import Testing

/// A call on the wire, and how an app comes to make it.
struct Place: Sendable, CustomTestStringConvertible {
    typealias Line = ScriptedTransport.Line

    let name: String
    let errorMethod: String
    /// What the server says before, in the same call of the app.
    let before: [Line]
    /// When the error leaves a state.
    let leaves: Leaves
    let call: AppCall
    var testDescription: String { name }

    enum Leaves: Sendable {
        case never, always
        /// Where the server was not reached, or had no time.
        case whenPassing
    }

    init(
        _ name: String, _ errorMethod: String, after before: Line..., leaves: Leaves = .never,
        call: @escaping AppCall
    ) {
        self.name = name
        self.errorMethod = errorMethod
        self.before = before
        self.leaves = leaves
        self.call = call
    }

    static func named(_ name: String) -> Place? { all.first { $0.name == name } }

    static let all = signUp + signIn + strong + reset

    private static let begun = Line.ok(Said.token("CT1"))
    private static let password = Line.ok(Said.passwordWanted("CT2"))

    private static let signUp: [Place] = [
        Place("signup/start", "onSignUpStartError") { scene in
            { scene.app.signUp(parameters: scene.signUp(), delegate: $0) }
        },
        Place("signup/challenge", "onSignUpStartError", after: begun) { scene in
            { scene.app.signUp(parameters: scene.signUp(), delegate: $0) }
        },
        Place("signup/challenge, again", "onSignUpResendCodeError") { scene in
            let state = try await scene.signUpCode()
            return { state.resendCode(delegate: $0) }
        },
        Place(
            "signup/challenge, later", "onSignUpVerifyCodeError", after: .refused(Said.credentialRequired("CT3")),
            leaves: .whenPassing
        ) { scene in
            let state = try await scene.signUpCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Place("signup/continue, code", "onSignUpVerifyCodeError") { scene in
            let state = try await scene.signUpCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Place("signup/continue, password", "onSignUpPasswordRequiredError") { scene in
            let state = try await scene.signUpPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        },
        Place("signup/continue, attributes", "onSignUpAttributesRequiredError") { scene in
            let state = try await scene.signUpAttributes()
            return { state.submitAttributes(attributes: [:], delegate: $0) }
        },
    ]

    private static let signIn: [Place] = [
        Place("initiate", "onSignInStartError") { scene in
            { scene.app.signIn(parameters: scene.signIn(), delegate: $0) }
        },
        Place("challenge", "onSignInStartError", after: begun) { scene in
            { scene.app.signIn(parameters: scene.signIn(), delegate: $0) }
        },
        Place("challenge, again", "onSignInResendCodeError", leaves: .always) { scene in
            let state = try await scene.signInCode()
            return { state.resendCode(delegate: $0) }
        },
        Place("token, at once", "onSignInStartError", after: begun, password) { scene in
            { scene.app.signIn(parameters: scene.signIn(password: "p"), delegate: $0) }
        },
        Place("token, password", "onSignInPasswordRequiredError", leaves: .always) { scene in
            let state = try await scene.signInPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        },
        Place("token, code", "onSignInVerifyCodeError", leaves: .always) { scene in
            let state = try await scene.signInCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Place("token, after a sign-up", "onSignInAfterSignUpError") { scene in
            let state = try await scene.afterSignUp()
            return { state.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: $0) }
        },
        Place("token, after a reset", "onSignInAfterResetPasswordError") { scene in
            let state = try await scene.afterReset()
            return { state.signIn(parameters: MSALNativeAuthSignInAfterResetPasswordParameters(), delegate: $0) }
        },
    ]

    private static let strong: [Place] = [
        Place(
            "introspect", "onSignInPasswordRequiredError", after: .refused(Said.multiFactorRequired("CT7")),
            leaves: .whenPassing
        ) { scene in
            let state = try await scene.signInPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        },
        Place("challenge, factor", "onMFARequestChallengeError", leaves: .always) { scene in
            let state = try await scene.awaitingMFA()
            return { state.requestChallenge(authMethod: scene.methods[0], delegate: $0) }
        },
        Place("token, factor", "onMFASubmitChallengeError", leaves: .always) { scene in
            let state = try await scene.mfaCode()
            return { state.submitChallenge(challenge: "1", delegate: $0) }
        },
        Place(
            "register/introspect", "onSignInVerifyCodeError", after: .refused(Said.registrationRequired("CT7")),
            leaves: .whenPassing
        ) { scene in
            let state = try await scene.signInCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Place("register/challenge", "onRegisterStrongAuthChallengeError", leaves: .always) { scene in
            let state = try await scene.registration()
            return { state.challengeAuthMethod(parameters: scene.contact(), delegate: $0) }
        },
        Place("register/continue", "onRegisterStrongAuthSubmitChallengeError", leaves: .always) { scene in
            let state = try await scene.registrationCode()
            return { state.submitChallenge(challenge: "1", delegate: $0) }
        },
        Place(
            "register/continue, proven", "onRegisterStrongAuthChallengeError", after: .ok(Said.preverified("CT9")),
            leaves: .whenPassing
        ) { scene in
            let state = try await scene.registration()
            return { state.challengeAuthMethod(parameters: scene.contact(), delegate: $0) }
        },
        Place(
            "token, registration", "onRegisterStrongAuthSubmitChallengeError", after: begun, leaves: .whenPassing
        ) { scene in
            let state = try await scene.registrationCode()
            return { state.submitChallenge(challenge: "1", delegate: $0) }
        },
    ]

    private static let reset: [Place] = [
        Place("resetpassword/start", "onResetPasswordStartError") { scene in
            { scene.app.resetPassword(parameters: scene.reset(), delegate: $0) }
        },
        Place("resetpassword/challenge", "onResetPasswordStartError", after: begun) { scene in
            { scene.app.resetPassword(parameters: scene.reset(), delegate: $0) }
        },
        Place("resetpassword/challenge, again", "onResetPasswordResendCodeError") { scene in
            let state = try await scene.resetCode()
            return { state.resendCode(delegate: $0) }
        },
        Place("resetpassword/continue", "onResetPasswordVerifyCodeError") { scene in
            let state = try await scene.resetCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Place("resetpassword/submit", "onResetPasswordRequiredError") { scene in
            let state = try await scene.newPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        },
        Place("poll_completion", "onResetPasswordRequiredError", after: .ok(Said.submitted("CT4"))) { scene in
            let state = try await scene.newPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        },
    ]
}
