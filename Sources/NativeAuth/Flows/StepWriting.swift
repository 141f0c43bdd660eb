// SPDX-License-Identifier: Apache-2.0

import Wire

// MARK: - Sign-up

extension SignUpStep {
    /// The step in writing; nil for the end.
    package var written: WrittenStep? {
        switch self {
        case .codeRequired(let step):
            WrittenStep(
                step.flow.conversation, step.token, .signUpCode(.init(step.delivery)), next: step.challengeToken)
        case .passwordRequired(let step):
            WrittenStep(step.flow.conversation, step.token, .signUpPassword)
        case .attributesRequired(let step):
            WrittenStep(
                step.flow.conversation, step.token,
                .signUpAttributes(step.attributes.map { RequiredAttribute(written: $0) }), next: step.challengeToken)
        case .completed: nil
        }
    }
}

extension NativeAuthClient {
    /// The step of a sign-up that was written down; nil if it is one of another flow.
    package func signUpStep(_ written: WrittenStep) -> SignUpStep? {
        let flow = SignUpFlow(conversation: written.conversation(self))
        switch written.place {
        case .signUpCode(let delivery):
            return .codeRequired(
                SignUpCode(
                    delivery: delivery.value, flow: flow, token: written.token, challengeToken: written.next))
        case .signUpPassword:
            return .passwordRequired(SignUpPassword(flow: flow, token: written.token))
        case .signUpAttributes(let attributes):
            return .attributesRequired(
                SignUpAttributes(
                    attributes: attributes.map(RequestedAttribute.init), request: AuthError(.refused), flow: flow,
                    token: written.token, challengeToken: written.next))
        default: return nil
        }
    }
}

// MARK: - Sign-in

extension SignInStep {
    /// The step in writing; nil for the end.
    package var written: WrittenStep? {
        switch self {
        case .codeRequired(let step):
            step.flow.written(step.token, .signInCode(.init(step.delivery)), step.resumption)
        case .passwordRequired(let step):
            step.flow.written(step.token, .signInPassword, step.resumption)
        case .multiFactorRequired(let step):
            step.flow.written(step.token, .multiFactorChoice(step.methods.map { .init(written: $0) }), nil)
        case .multiFactorCodeRequired(let step):
            step.flow.written(
                step.token,
                .multiFactorCode(
                    .init(step.delivery), by: .init(written: step.method), of: step.methods.map { .init(written: $0) }),
                nil)
        case .registrationRequired(let step):
            step.flow.written(
                step.token, .registrationChoice(step.methods.map { .init(written: $0) }), step.resumption)
        case .registrationCodeRequired(let step):
            step.flow.written(
                step.token,
                .registrationCode(
                    .init(step.delivery), by: .init(written: step.method), contact: step.contact,
                    of: step.methods.map { .init(written: $0) }),
                step.resumption)
        case .completed: nil
        }
    }
}

extension SignInFlow {
    fileprivate func written(
        _ token: String, _ place: WrittenStep.Place, _ resumption: SignInResumption?
    ) -> WrittenStep {
        WrittenStep(conversation, token, place, resumption: resumption, scopes: scopes)
    }
}

extension NativeAuthClient {
    /// The step of a sign-in that was written down; nil if it is one of another flow.
    package func signInStep(_ written: WrittenStep) -> SignInStep? {
        let flow = SignInFlow(conversation: written.conversation(self), scopes: written.scopes ?? [], claims: nil)
        let token = written.token
        switch written.place {
        case .signInCode(let delivery):
            return .codeRequired(
                SignInCode(delivery: delivery.value, flow: flow, token: token, resumption: written.resumption))
        case .signInPassword:
            return .passwordRequired(SignInPassword(flow: flow, token: token, resumption: written.resumption))
        case .multiFactorChoice(let methods):
            return .multiFactorRequired(
                MultiFactorChoice(methods: methods.map(AuthenticationMethod.init), flow: flow, token: token))
        case .multiFactorCode(let delivery, let method, let methods):
            return .multiFactorCodeRequired(
                MultiFactorCode(
                    delivery: delivery.value, method: AuthenticationMethod(method),
                    methods: methods.map(AuthenticationMethod.init), flow: flow, token: token))
        case .registrationChoice(let methods):
            return .registrationRequired(
                RegistrationChoice(
                    methods: methods.map(AuthenticationMethod.init), flow: flow, token: token,
                    resumption: written.resumption))
        case .registrationCode(let delivery, let method, let contact, let methods):
            return .registrationCodeRequired(
                RegistrationCode(
                    delivery: delivery.value, method: AuthenticationMethod(method), contact: contact,
                    methods: methods.map(AuthenticationMethod.init), flow: flow, token: token,
                    resumption: written.resumption))
        default: return nil
        }
    }
}

// MARK: - Password reset

extension ResetStep {
    /// The step in writing; nil for the end.
    package var written: WrittenStep? {
        switch self {
        case .codeRequired(let step):
            WrittenStep(step.flow.conversation, step.token, .resetCode(.init(step.delivery)))
        case .passwordRequired(let step):
            WrittenStep(step.flow.conversation, step.token, .newPassword)
        case .completed: nil
        }
    }
}

extension NativeAuthClient {
    /// The step of a password reset that was written down; nil if it is one of another flow.
    package func resetStep(_ written: WrittenStep) -> ResetStep? {
        let flow = ResetFlow(conversation: written.conversation(self))
        switch written.place {
        case .resetCode(let delivery):
            return .codeRequired(ResetCode(delivery: delivery.value, flow: flow, token: written.token))
        case .newPassword:
            return .passwordRequired(NewPassword(timeLimit: nil, flow: flow, token: written.token))
        default: return nil
        }
    }
}
