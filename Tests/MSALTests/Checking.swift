// SPDX-License-Identifier: Apache-2.0

import Foundation
import MSAL
import NativeAuth
import TenantTesting
import Testing

extension AppScene {
    /// Makes a call and compares what the delegate hears with a line of a table.
    ///
    /// - Parameters:
    ///   - state: The state that the call is made on, if any.
    ///   - token: What goes with a submission on that state, before and after the call.
    ///   - errorMethod: The method that hears of errors.
    func check(
        _ row: Row, on state: NSObject? = nil, token: String = "", errorMethod: String, _ call: (Recorder) -> Void
    ) async throws {
        let heard = try await hear(row.said, call)
        #expect(heard.told == row.told)
        #expect(heard.method == row.told.method ?? errorMethod)
        #expect(heard.error.map { $0.correlationId == id } ?? true)
        #expect(server.isOver)
        switch row.next {
        case .none:
            #expect(heard.state == nil)
        case .same:
            #expect(heard.state === state && state != nil)
        case .other(let expected, let endpoint):
            let next = try #require(heard.state)
            #expect(next !== state)
            #expect(try await sent(by: next) == expected)
            #expect(endpoint.map { server.calls.last?.url.hasSuffix($0) ?? false } ?? true)
        }
        // No state is used up.
        if let state { #expect(try await sent(by: state) == token) }
    }

    /// The token that goes with what is submitted on a state. Nobody answers.
    func sent(by state: NSObject) async throws -> String? {
        let count = server.calls.count
        _ = try await hear { submit(on: state, $0) }
        #expect(server.calls.count == count + 1)
        return server.form(count)["continuation_token"]
    }

    private func submit(on state: NSObject, _ delegate: Recorder) {
        switch state {
        case let state as SignUpCodeRequiredState: state.submitCode(code: "2", delegate: delegate)
        case let state as SignUpPasswordRequiredState: state.submitPassword(password: "q", delegate: delegate)
        case let state as SignUpAttributesRequiredState: state.submitAttributes(attributes: [:], delegate: delegate)
        case let state as SignInCodeRequiredState: state.submitCode(code: "2", delegate: delegate)
        case let state as SignInPasswordRequiredState: state.submitPassword(password: "q", delegate: delegate)
        case let state as ResetPasswordCodeRequiredState: state.submitCode(code: "2", delegate: delegate)
        case let state as ResetPasswordRequiredState: state.submitPassword(password: "q", delegate: delegate)
        case let state as AwaitingMFAState: state.requestChallenge(authMethod: methods[0], delegate: delegate)
        case let state as MFARequiredState: state.submitChallenge(challenge: "2", delegate: delegate)
        case let state as RegisterStrongAuthState:
            state.challengeAuthMethod(parameters: contact(), delegate: delegate)
        case let state as RegisterStrongAuthVerificationRequiredState:
            state.submitChallenge(challenge: "2", delegate: delegate)
        case let state as SignInAfterSignUpState:
            state.signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters(), delegate: delegate)
        case let state as SignInAfterResetPasswordState:
            state.signIn(parameters: MSALNativeAuthSignInAfterResetPasswordParameters(), delegate: delegate)
        default: Issue.record("nothing can be submitted on \(state)")
        }
    }
}
