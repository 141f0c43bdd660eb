// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import TenantTesting
import Testing

/// Each method that a delegate may leave out, put in and left out.
@MainActor @Suite(.timeLimit(.minutes(10)))
struct MissingMethodTests {
    typealias Line = ScriptedTransport.Line

    /// One method of one delegate, and how to come to it.
    struct Case: Sendable, CustomTestStringConvertible {
        let method: String
        let errorMethod: String
        let said: [Line]
        let call: AppCall
        var testDescription: String { "\(errorMethod): \(method)" }

        init(
            _ errorMethod: String, _ method: String, _ said: Line...,
            call: @escaping AppCall
        ) {
            self.init(errorMethod, method, said, call)
        }

        init(
            _ errorMethod: String, _ method: String, _ said: [Line],
            _ call: @escaping AppCall
        ) {
            self.method = method
            self.errorMethod = errorMethod
            self.said = said
            self.call = call
        }
    }

    @Test(arguments: signUp + signIn + after + reset + strong + token)
    func isCalledWhereItIsThere(_ one: Case) async throws {
        let scene = try AppScene()
        let call = try await one.call(scene)
        let heard = try await scene.hear(one.said) { call($0) }
        #expect(heard.method == one.method)
        #expect(heard.error == nil)
    }

    @Test(arguments: signUp + signIn + after + reset + strong + token)
    func isAnErrorWhereItIsNot(_ one: Case) async throws {
        let scene = try AppScene()
        let call = try await one.call(scene)
        one.said.forEach { scene.server.add($0) }
        let bare = Bare()
        let heard = try await bare.hears { call(bare) }
        #expect(heard.method == one.errorMethod)
        let text = "MSALNativeAuth has called the delegate method \(one.method) that has not been implemented"
        #expect(heard.told == .says(text))
        #expect(heard.error?.correlationId == scene.id)
        #expect(heard.state == nil)
    }

    // MARK: Sign-up

    private nonisolated static let begun = Line.ok(Said.token("CT1"))
    private nonisolated static let code = Line.ok(Said.codeSent("CT2"))
    private nonisolated static let attributes = Line.refused(Said.attributesRequired("CT4"))
    private nonisolated static let invalid = Line.no(
        "invalid_grant", "attribute_validation_failed", 1, more: #","invalid_attributes":[{"name":"city"}]"#)

    nonisolated static let signUp: [Case] = [
        Case("onSignUpStartError", "onSignUpCodeRequired", begun, code) { scene in
            { scene.app.signUp(parameters: scene.signUp(), delegate: $0) }
        },
        Case("onSignUpStartError", "onSignUpAttributesInvalid", invalid) { scene in
            { scene.app.signUp(parameters: scene.signUp(), delegate: $0) }
        },
        Case("onSignUpVerifyCodeError", "onSignUpAttributesRequired", attributes) { scene in
            let state = try await scene.signUpCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Case(
            "onSignUpVerifyCodeError", "onSignUpPasswordRequired", .refused(Said.credentialRequired("CT3")),
            .ok(Said.passwordWanted("CT4"))
        ) { scene in
            let state = try await scene.signUpCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Case("onSignUpVerifyCodeError", "onSignUpCompleted", begun) { scene in
            let state = try await scene.signUpCode()
            return { state.submitCode(code: "1", delegate: $0) }
        },
        Case("onSignUpResendCodeError", "onSignUpResendCodeCodeRequired", code) { scene in
            let state = try await scene.signUpCode()
            return { state.resendCode(delegate: $0) }
        },
        Case("onSignUpPasswordRequiredError", "onSignUpAttributesRequired", attributes) { scene in
            let state = try await scene.signUpPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        },
        Case("onSignUpPasswordRequiredError", "onSignUpCompleted", begun) { scene in
            let state = try await scene.signUpPassword()
            return { state.submitPassword(password: "p", delegate: $0) }
        },
        Case("onSignUpAttributesRequiredError", "onSignUpAttributesRequired", attributes) { scene in
            let state = try await scene.signUpAttributes()
            return { state.submitAttributes(attributes: [:], delegate: $0) }
        },
        Case("onSignUpAttributesRequiredError", "onSignUpAttributesInvalid", invalid) { scene in
            let state = try await scene.signUpAttributes()
            return { state.submitAttributes(attributes: [:], delegate: $0) }
        },
        Case("onSignUpAttributesRequiredError", "onSignUpCompleted", begun) { scene in
            let state = try await scene.signUpAttributes()
            return { state.submitAttributes(attributes: [:], delegate: $0) }
        },
    ]
}
