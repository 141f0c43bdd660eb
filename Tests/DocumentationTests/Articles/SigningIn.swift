// SPDX-License-Identifier: Apache-2.0

import NativeAuth

// The code of the article "Sign in, and what may come between".

func finishSignIn(from first: SignInStep, _ person: some Person) async throws -> Account {
    var step = first
    while true {
        switch step {
        case .passwordRequired(let password):
            step = try await password.submit(person.answer("Password"))
        case .codeRequired(let code):
            step = try await code.submit(person.answer("The code that went to \(code.delivery.sentTo)"))
        case .multiFactorRequired(let choice):
            step = try await choice.challenge(person.choice(of: choice.methods))
        case .multiFactorCodeRequired(let code):
            step = try await code.submit(person.answer("The code that went to \(code.delivery.sentTo)"))
        case .registrationRequired(let choice):
            let method = await person.choice(of: choice.methods)
            step = try await choice.register(method, contact: person.answer("An address for second factors"))
        case .registrationCodeRequired(let code):
            step = try await code.submit(person.answer("The code that went to \(code.contact)"))
        case .completed(let account):
            return account
        }
    }
}

func signIn(_ client: NativeAuthClient, mail: String, _ person: some Person) async throws -> Account {
    let step = try await client.signIn(username: mail, scopes: ["api://sample/Orders.Read"])
    return try await finishSignIn(from: step, person)
}

extension Person {
    func choice(of methods: [AuthenticationMethod]) async -> AuthenticationMethod {
        let list = methods.map { "\($0.channel) \($0.hint ?? "")" }.joined(separator: ", ")
        let number = Int(await answer("Which one, from 1: \(list)")) ?? 1
        return methods[max(1, min(number, methods.count)) - 1]
    }
}

func resetPassword(_ person: some Person, with client: NativeAuthClient) async throws -> ResetCompletion {
    var step = try await client.resetPassword(username: person.answer("Your mail address"))
    while true {
        switch step {
        case .codeRequired(let code):
            step = try await code.submit(person.answer("The code that went to \(code.delivery.sentTo)"))
        case .passwordRequired(let password):
            step = try await password.submit(person.answer("A new password"))
        case .completed(let completion):
            return completion
        }
    }
}
