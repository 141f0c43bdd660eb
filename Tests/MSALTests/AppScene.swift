// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing

/// An app at a tenant that says what a test wrote down, and who hears of it.
@MainActor
final class AppScene {
    typealias Line = ScriptedTransport.Line

    let server = ScriptedTransport([])
    let storage = MemoryStorage()
    let clock = ManualClock()
    /// The app's own id for its flows.
    let id = UUID()
    let recorder = Recorder()
    let app: MSALNativeAuthPublicClientApplication
    private(set) var methods: [MSALAuthMethod] = []

    init(_ change: (MSALNativeAuthPublicClientApplicationConfig) -> Void = { _ in }) throws {
        let config = try MSALNativeAuthPublicClientApplicationConfig(
            clientId: Fjordshop.clientID, tenantSubdomain: "fjordshop", challengeTypes: [.OOB, .password])
        config.capabilities = [.mfaRequired, .registrationRequired]
        change(config)
        app = try MSALNativeAuthPublicClientApplication(
            config, storage: storage, transport: server, time: clock.source)
    }

    /// Makes a call to which the server says this.
    func hear(_ said: [Line] = [], _ call: (Recorder) -> Void) async throws -> Heard {
        said.forEach { server.add($0) }
        let heard = try await recorder.hears { call(recorder) }
        if !heard.methods.isEmpty { methods = heard.methods }
        return heard
    }

    /// Goes one step of a flow.
    private func step<State>(_ said: Line..., call: (Recorder) -> Void) async throws -> State {
        try #require(try await hear(said, call).state as? State)
    }

    // MARK: Where flows can stand

    func signUp(_ username: String = Fjordshop.mira, password: String? = nil) -> MSALNativeAuthSignUpParameters {
        let parameters = MSALNativeAuthSignUpParameters(username: username)
        parameters.password = password
        parameters.correlationId = id
        return parameters
    }

    func signIn(_ username: String = Fjordshop.mira, password: String? = nil) -> MSALNativeAuthSignInParameters {
        let parameters = MSALNativeAuthSignInParameters(username: username)
        parameters.password = password
        parameters.correlationId = id
        return parameters
    }

    func reset(_ username: String = Fjordshop.mira) -> MSALNativeAuthResetPasswordParameters {
        let parameters = MSALNativeAuthResetPasswordParameters(username: username)
        parameters.correlationId = id
        return parameters
    }

    /// With the token CT2.
    func signUpCode() async throws -> SignUpCodeRequiredState {
        try await step(.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))) {
            app.signUp(parameters: signUp(), delegate: $0)
        }
    }

    /// With the token CT4.
    func signUpPassword() async throws -> SignUpPasswordRequiredState {
        let code = try await signUpCode()
        return try await step(.refused(Said.credentialRequired("CT3")), .ok(Said.passwordWanted("CT4"))) {
            code.submitCode(code: "1", delegate: $0)
        }
    }

    /// With the token CT3.
    func signUpAttributes() async throws -> SignUpAttributesRequiredState {
        let code = try await signUpCode()
        return try await step(.refused(Said.attributesRequired("CT3"))) { code.submitCode(code: "1", delegate: $0) }
    }

    /// With the token CT3.
    func afterSignUp(_ said: Line = .ok(Said.token("CT3"))) async throws -> SignInAfterSignUpState {
        let code = try await signUpCode()
        return try await step(said) { code.submitCode(code: "1", delegate: $0) }
    }

    /// With the token CT2.
    func signInCode(_ parameters: MSALNativeAuthSignInParameters? = nil) async throws -> SignInCodeRequiredState {
        try await step(.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))) {
            app.signIn(parameters: parameters ?? signIn(), delegate: $0)
        }
    }

    /// With the token CT2.
    func signInPassword() async throws -> SignInPasswordRequiredState {
        try await step(.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2"))) {
            app.signIn(parameters: signIn(), delegate: $0)
        }
    }

    /// With the token CT8.
    func awaitingMFA() async throws -> AwaitingMFAState {
        let password = try await signInPassword()
        return try await step(.refused(Said.multiFactorRequired("CT7")), .ok(Said.methods("CT8"))) {
            password.submitPassword(password: "p", delegate: $0)
        }
    }

    /// With the token CT9.
    func mfaCode() async throws -> MFARequiredState {
        let awaiting = try await awaitingMFA()
        return try await step(.ok(Said.codeSent("CT9"))) {
            awaiting.requestChallenge(authMethod: methods[0], delegate: $0)
        }
    }

    /// With the token CT8.
    func registration() async throws -> RegisterStrongAuthState {
        let password = try await signInPassword()
        return try await step(.refused(Said.registrationRequired("CT7")), .ok(Said.registrable("CT8"))) {
            password.submitPassword(password: "p", delegate: $0)
        }
    }

    /// The first method, and a contact for it.
    func contact(_ contact: String = "+4790000007") -> MSALNativeAuthChallengeAuthMethodParameters {
        MSALNativeAuthChallengeAuthMethodParameters(authMethod: methods[1], verificationContact: contact)
    }

    /// With the token CT9.
    func registrationCode() async throws -> RegisterStrongAuthVerificationRequiredState {
        let registration = try await registration()
        return try await step(.ok(Said.contactCodeSent("CT9"))) {
            registration.challengeAuthMethod(parameters: contact(), delegate: $0)
        }
    }

    /// With the token CT2.
    func resetCode() async throws -> ResetPasswordCodeRequiredState {
        try await step(.ok(Said.token("CT1")), .ok(Said.codeSent("CT2"))) {
            app.resetPassword(parameters: reset(), delegate: $0)
        }
    }

    /// With the token CT3.
    func newPassword() async throws -> ResetPasswordRequiredState {
        let code = try await resetCode()
        return try await step(.ok(Said.codeRight("CT3"))) { code.submitCode(code: "1", delegate: $0) }
    }

    /// With the token CT5.
    func afterReset(_ said: Line = .ok(Said.succeeded("CT5"))) async throws -> SignInAfterResetPasswordState {
        let password = try await newPassword()
        return try await step(.ok(Said.submitted("CT4")), said) {
            password.submitPassword(password: "p", delegate: $0)
        }
    }

    /// Somebody who is signed in.
    func account(_ said: Line = .tokens, scopes: [String]? = nil) async throws -> MSALNativeAuthUserAccountResult {
        let parameters = signIn(password: "p")
        parameters.scopes = scopes
        let heard = try await hear([.ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), said]) {
            app.signIn(parameters: parameters, delegate: $0)
        }
        return try #require(heard.account)
    }
}
