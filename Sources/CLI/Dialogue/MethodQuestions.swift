// SPDX-License-Identifier: Apache-2.0

import Console
import NativeAuth

/// What is asked about a second factor.
extension Interview {
    /// One of the methods; the only one is not asked for.
    func method(_ methods: [AuthenticationMethod]) throws -> AuthenticationMethod {
        if methods.count == 1 { return methods[0] }
        for (index, method) in methods.enumerated() {
            tell("\(index + 1): \(method.label)\(method.hint.map { " to \($0.printable)" } ?? "")")
        }
        while true {
            let text = try ask("Where to send a code, 1 to \(methods.count)", flag: "the choice of a second factor")
            if let number = Int(text), methods.indices.contains(number - 1) { return methods[number - 1] }
            tell("Type a number from 1 to \(methods.count).")
        }
    }

    /// The contact to be registered; the tenant may suggest one.
    func contact(_ method: AuthenticationMethod) throws -> String {
        try ask(method.label, flag: "the contact for a second factor", preset: method.hint)
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
