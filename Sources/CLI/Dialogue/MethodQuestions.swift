// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// What is asked about a second factor.
extension Interview {
    /// One of the methods; the only one is not asked for.
    mutating func method(_ methods: [AuthenticationMethod]) throws -> AuthenticationMethod {
        if let word = takeMethod() {
            if let method = methods.first(where: { $0.id == word || $0.channel == word }) { return method }
            let words = methods.map(\.channel.printable).joined(separator: " and ")
            throw CommandFailure(.refused, "The tenant has no method '\(word.printable)' here, but \(words).")
        }
        if methods.count == 1 { return methods[0] }
        for (index, method) in methods.enumerated() {
            tell("\(index + 1): \(method.label)\(method.hint.map { ", \($0.printable)" } ?? "")")
        }
        while true {
            let text = try ask("Where should the code go, 1 to \(methods.count)?", flag: "--mfa-method")
            if let number = Int(text), methods.indices.contains(number - 1) { return methods[number - 1] }
            warn("Type a number from 1 to \(methods.count).")
        }
    }

    /// The contact to be registered; the tenant may suggest one.
    mutating func contact(_ method: AuthenticationMethod) throws -> String {
        if let contact = takeContact() { return contact }
        if method.channel == "sms" { tell("Write the number with its country code, as in +4790000007.") }
        return try ask(method.label, flag: "--mfa-contact", preset: method.hint)
    }
}

extension AuthenticationMethod {
    fileprivate var label: String {
        switch channel {
        case "email": "Email"
        case "sms": "Telephone number"
        default: channel.printable
        }
    }
}
