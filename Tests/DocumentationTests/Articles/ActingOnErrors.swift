// SPDX-License-Identifier: Apache-2.0

import NativeAuth

// The code of the article "Errors one can act on".

func proven(_ first: SignUpCode, by person: some Person) async throws -> SignUpStep {
    var code = first
    while true {
        do {
            return try await code.submit(person.answer("The code that went to \(code.delivery.sentTo)"))
        } catch {
            guard error.error.reason == .invalidCode, case .codeRequired(let again)? = error.retry else { throw error }
            code = again
        }
    }
}

func explanation(of error: AuthError) -> String {
    switch error.reason {
    case .invalidCode: "That is not the code."
    case .invalidCredentials: "The address and the password do not belong together."
    case .invalidPassword(.tooShort), .invalidPassword(.tooWeak): "Choose a longer password, of more kinds."
    case .tooManyCodes, .rateLimited: "That was too often. Please wait a little."
    case .network: "The server cannot be reached."
    default: "That did not work. Please name this number: \(error.correlationID ?? "none")"
    }
}
