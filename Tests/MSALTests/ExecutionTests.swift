// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing

/// How calls run: once each, after they have returned, wherever they come from.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct ExecutionTests {
    /// A delegate that nobody keeps.
    private final class Passing: SignInStartDelegate {
        private let told: CheckedContinuation<String, Never>

        init(_ told: CheckedContinuation<String, Never>) { self.told = told }

        func onSignInStartError(error: SignInStartError) { told.resume(returning: error.errorDescription ?? "") }
    }

    @Test func delegateIsKeptUntilItIsTold() async throws {
        let scene = try AppScene()
        scene.server.add(.no("tea_time"))
        let text = await withCheckedContinuation { told in
            scene.app.signIn(parameters: scene.signIn(), delegate: Passing(told))
        }
        #expect(text == Script.words)
    }

    /// A delegate that goes on where it is told, as apps do.
    private final class Chain: SignInStartDelegate, SignInPasswordRequiredDelegate {
        private let told: CheckedContinuation<String?, Never>
        private(set) var steps = 0

        init(_ told: CheckedContinuation<String?, Never>) { self.told = told }

        func onSignInStartError(error: SignInStartError) { told.resume(returning: error.errorDescription) }
        func onSignInPasswordRequired(newState: SignInPasswordRequiredState) {
            newState.submitPassword(password: "wrong", delegate: self)
        }
        func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?) {
            steps += 1
            guard steps == 1, let newState else { return told.resume(returning: error.errorDescription) }
            newState.submitPassword(password: "p", delegate: self)
        }
        func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
            told.resume(returning: result.account.username)
        }
    }

    @Test func delegateGoesOnFromWhereItIsTold() async throws {
        let scene = try AppScene()
        for line: ScriptedTransport.Line in [
            .ok(Said.token("CT1")), .ok(Said.passwordWanted("CT2")), .refused(Said.wrongPassword), .tokens,
        ] { scene.server.add(line) }
        let username = await withCheckedContinuation { told in
            scene.app.signIn(parameters: scene.signIn(), delegate: Chain(told))
        }
        #expect(username == Fjordshop.mira)
        #expect((2...3).map { scene.server.form($0)["password"] } == ["wrong", "p"])
    }

    /// What the app changes after the call has no effect on it.
    @Test func parametersAreReadAtOnce() async throws {
        let scene = try AppScene()
        let parameters = scene.signUp(password: "p")
        _ = try await scene.hear {
            scene.app.signUp(parameters: parameters, delegate: $0)
            parameters.username = "nils@lofoten.example"
            parameters.password = nil
        }
        #expect(scene.server.form(0)["username"] == Fjordshop.mira)
        #expect(scene.server.form(0)["password"] == "p")
    }

    private func submitted(_ code: String, on state: SignInCodeRequiredState) async throws -> Told {
        let recorder = Recorder()
        return try await recorder.hears { state.submitCode(code: code, delegate: recorder) }.told
    }

    /// Two calls on one state are two calls.
    @Test func callsDoNotWaitForEachOther() async throws {
        let scene = try AppScene()
        let state = try await scene.signInCode()
        scene.server.add(.refused(Said.wrongCode), .refused(Said.wrongCode))
        async let first = submitted("1", on: state)
        async let second = submitted("2", on: state)
        let wrong = Told.says("Invalid code", "isInvalidCode", codes: 50181)
        #expect(try await [first, second] == [wrong, wrong])
        #expect(Set((2...3).compactMap { scene.server.form($0)["oob"] }) == ["1", "2"])
    }
}
