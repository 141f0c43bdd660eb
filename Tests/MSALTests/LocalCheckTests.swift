// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing

/// Comes to a state, and gives the call to be made on it.
typealias AppCall = @MainActor @Sendable (AppScene) async throws -> @MainActor (any Listener & Delegates) -> Void

/// What is found before anything is sent: strings that are empty, in the order of the checks.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct LocalCheckTests {
    /// A call, and the state that it is made on.
    struct Ready {
        let state: NSObject?
        let call: @MainActor (Recorder) -> Void

        init(_ state: NSObject? = nil, call: @escaping @MainActor (Recorder) -> Void) {
            self.state = state
            self.call = call
        }
    }

    struct Check: Sendable, CustomTestStringConvertible {
        let name: String
        let errorMethod: String
        let told: Told
        let isSame: Bool
        let call: @MainActor @Sendable (AppScene) async throws -> Ready
        var testDescription: String { name }

        init(
            _ name: String, _ errorMethod: String, _ told: Told, same isSame: Bool = true,
            call: @escaping @MainActor @Sendable (AppScene) async throws -> Ready
        ) {
            self.name = name
            self.errorMethod = errorMethod
            self.told = told
            self.isSame = isSame
            self.call = call
        }
    }

    private nonisolated static let username = Told.says("Invalid username", "isInvalidUsername")
    private nonisolated static let password = Told.says("Invalid password", "isInvalidPassword")
    private nonisolated static let code = Told.says("Invalid code", "isInvalidCode")
    private nonisolated static let challenge = Told.says("Invalid challenge", "isInvalidChallenge")

    nonisolated static let starts: [Check] = [
        Check("signUp, nothing", "onSignUpStartError", username) { scene in
            Ready { scene.app.signUp(parameters: scene.signUp("", password: ""), delegate: $0) }
        },
        Check("signUp, no name", "onSignUpStartError", username) { scene in
            Ready { scene.app.signUp(parameters: scene.signUp("", password: "p"), delegate: $0) }
        },
        Check("signUp, no password", "onSignUpStartError", password) { scene in
            Ready { scene.app.signUp(parameters: scene.signUp(password: ""), delegate: $0) }
        },
        Check("signIn, nothing", "onSignInStartError", username) { scene in
            Ready { scene.app.signIn(parameters: scene.signIn("", password: ""), delegate: $0) }
        },
        Check("signIn, no name", "onSignInStartError", username) { scene in
            Ready { scene.app.signIn(parameters: scene.signIn(""), delegate: $0) }
        },
        Check("signIn, no password", "onSignInStartError", .says("Invalid credentials", "isInvalidCredentials")) {
            scene in Ready { scene.app.signIn(parameters: scene.signIn(password: ""), delegate: $0) }
        },
        Check("resetPassword, no name", "onResetPasswordStartError", username) { scene in
            Ready { scene.app.resetPassword(parameters: scene.reset(""), delegate: $0) }
        },
    ]

    nonisolated static let steps: [Check] = [
        Check("sign-up code", "onSignUpVerifyCodeError", code) { scene in
            let state = try await scene.signUpCode()
            return Ready(state) { state.submitCode(code: "", delegate: $0) }
        },
        Check("sign-up password", "onSignUpPasswordRequiredError", password) { scene in
            let state = try await scene.signUpPassword()
            return Ready(state) { state.submitPassword(password: "", delegate: $0) }
        },
        Check("sign-in code", "onSignInVerifyCodeError", code) { scene in
            let state = try await scene.signInCode()
            return Ready(state) { state.submitCode(code: "", delegate: $0) }
        },
        Check("sign-in password", "onSignInPasswordRequiredError", password) { scene in
            let state = try await scene.signInPassword()
            return Ready(state) { state.submitPassword(password: "", delegate: $0) }
        },
        Check("reset code", "onResetPasswordVerifyCodeError", code) { scene in
            let state = try await scene.resetCode()
            return Ready(state) { state.submitCode(code: "", delegate: $0) }
        },
        Check("reset password", "onResetPasswordRequiredError", password) { scene in
            let state = try await scene.newPassword()
            return Ready(state) { state.submitPassword(password: "", delegate: $0) }
        },
        Check("second factor", "onMFASubmitChallengeError", challenge) { scene in
            let state = try await scene.mfaCode()
            return Ready(state) { state.submitChallenge(challenge: "", delegate: $0) }
        },
        Check("code of a contact", "onRegisterStrongAuthSubmitChallengeError", challenge) { scene in
            let state = try await scene.registrationCode()
            return Ready(state) { state.submitChallenge(challenge: "", delegate: $0) }
        },
        Check("contact", "onRegisterStrongAuthChallengeError", .says("Invalid input", "isInvalidInput")) { scene in
            let state = try await scene.registration()
            return Ready(state) { state.challengeAuthMethod(parameters: scene.contact(""), delegate: $0) }
        },
        Check(
            "another contact", "onRegisterStrongAuthChallengeError", .says("Invalid input", "isInvalidInput"),
            same: false
        ) { scene in
            let state = try await scene.registrationCode()
            return Ready(state) { state.challengeAuthMethod(parameters: scene.contact(""), delegate: $0) }
        },
    ]

    @Test(arguments: starts + steps)
    func nothingIsSent(_ check: Check) async throws {
        let scene = try AppScene()
        let ready = try await check.call(scene)
        let count = scene.server.calls.count
        let heard = try await scene.hear { ready.call($0) }
        #expect(heard.method == check.errorMethod)
        #expect(heard.told == check.told)
        #expect(heard.error?.correlationId == scene.id)
        #expect(heard.state === (check.isSame ? ready.state : nil))
        #expect(scene.server.calls.count == count)
    }

    /// Only what is empty is found: blanks, bad addresses and short codes go to the server as they are.
    @Test(arguments: [" ", "not an address", " MIRA@Lofoten.example "])
    func nothingIsTrimmed(_ username: String) async throws {
        let scene = try AppScene()
        _ = try await scene.hear { scene.app.signUp(parameters: scene.signUp(username, password: " "), delegate: $0) }
        #expect(scene.server.form(0)["username"] == username)
        #expect(scene.server.form(0)["password"] == " ")
        _ = try await scene.hear { scene.app.signIn(parameters: scene.signIn(username), delegate: $0) }
        #expect(scene.server.form(1)["username"] == username)
        let code = try await scene.signInCode()
        _ = try await scene.hear { code.submitCode(code: " ", delegate: $0) }
        #expect(scene.server.form(4)["oob"] == " ")
    }
}
