// SPDX-License-Identifier: Apache-2.0

import NativeAuth

// The code of the article "Sign somebody up".

func cloudClient() throws -> NativeAuthClient {
    let authority = try Authority(subdomain: "contoso")
    let client = NativeAuthClient(
        Configuration(authority: authority, clientID: "00001111-aaaa-2222-bbbb-3333cccc4444"))
    return client
}

protocol Person: Sendable {
    func answer(_ question: String) async -> String
}

func signUp(_ person: some Person, with client: NativeAuthClient) async throws -> SignUpCompletion {
    let mail = await person.answer("Your mail address")
    var step = try await client.signUp(username: mail)
    while true {
        switch step {
        case .codeRequired(let code):
            step = try await code.submit(person.answer("The code that went to \(code.delivery.sentTo)"))
        case .passwordRequired(let password):
            step = try await password.submit(person.answer("A new password"))
        case .attributesRequired(let page):
            step = try await page.submit(answers(to: page.attributes, by: person))
        case .completed(let completion):
            return completion
        }
    }
}

func answers(to attributes: [RequestedAttribute], by person: some Person) async -> [String: AttributeValue] {
    var values: [String: AttributeValue] = [:]
    for attribute in attributes {
        let question = attribute.isRequired ? attribute.name : "\(attribute.name), if you like"
        let text = await person.answer(question)
        if !text.isEmpty { values[attribute.name] = .string(text) }
    }
    return values
}

func begin(_ client: NativeAuthClient, mail: String) async throws -> SignUpStep {
    let step = try await client.signUp(username: mail, attributes: ["country": "Norway"])
    return step
}

func signIn(after completion: SignUpCompletion, _ person: some Person) async throws -> Account {
    let first = try await completion.signIn(scopes: ["api://sample/Orders.Read"])
    let account = try await finishSignIn(from: first, person)
    return account
}
