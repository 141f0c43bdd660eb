// SPDX-License-Identifier: Apache-2.0

/// Where a step was interrupted that makes several calls. What was given to it is with the tenant already, and used up; so
/// whatever is submitted next lets it go on from there.
enum SignInResumption: Codable, Sendable, Equatable {
    /// The first factor held, and the methods for a second one were not heard of.
    case multiFactorMethods(token: String)
    /// The same for a registration.
    case registrationMethods(token: String)
    /// The contact was proven already, and the tenant has not heard that this was understood.
    case provenContact(token: String)
    /// A method is registered, and the tokens did not come.
    case tokens(token: String)
}

extension SignInFlow {
    func resume(_ resumption: SignInResumption, retry: SignInStep) async throws(StepError<SignInStep>) -> SignInStep {
        switch resumption {
        case .multiFactorMethods(let token): try await multiFactorMethods(token, retry: retry)
        case .registrationMethods(let token): try await registrationMethods(token, retry: retry)
        case .provenContact(let token): try await finishProven(token, retry: retry)
        case .tokens(let token): try await redeemRegistration(token, retry: retry)
        }
    }
}

extension SignInStep {
    /// The step, with nothing left to it but to go on.
    func resuming(_ resumption: SignInResumption) -> SignInStep {
        switch self {
        case .codeRequired(var code):
            code.resumption = resumption
            return .codeRequired(code)
        case .passwordRequired(var password):
            password.resumption = resumption
            return .passwordRequired(password)
        case .registrationRequired(var choice):
            choice.resumption = resumption
            return .registrationRequired(choice)
        case .registrationCodeRequired(var code):
            code.resumption = resumption
            return .registrationCodeRequired(code)
        case .multiFactorRequired, .multiFactorCodeRequired, .completed:
            return self
        }
    }
}

extension SignUpStep {
    /// The step, with nothing left to it but to ask for the challenge that belongs to `token`.
    func resuming(_ token: String) -> SignUpStep {
        switch self {
        case .codeRequired(var code):
            code.challengeToken = token
            return .codeRequired(code)
        case .attributesRequired(var page):
            page.challengeToken = token
            return .attributesRequired(page)
        case .passwordRequired, .completed:
            return self
        }
    }
}
