// SPDX-License-Identifier: Apache-2.0

import Console
import LineEditor
import NativeAuth

extension Interview {
    /// The account's password; nil for the way back to the address.
    ///
    /// - Parameter wayBack: Whether there is one. The sign `<` alone leads there: passwords have eight characters.
    mutating func password(wayBack: Bool = false) throws -> String? {
        if let password = try givenPassword() { return password }
        guard let terminal else { throw missing("--password-file") }
        let password = try untilAnswered { () throws(PromptError) in try terminal.askSecret("Password") }
        return wayBack && password == Secret("<") ? nil : password.text
    }

    /// A password to be, typed twice, or made here and shown once.
    ///
    /// - Parameter username: What it had better not contain.
    mutating func newPassword(for username: String) throws -> String {
        if let password = try givenPassword() { return password }
        guard let terminal else { throw missing("--password-file") }
        return try untilAnswered { () throws(PromptError) in
            try terminal.askNewSecret(
                "New password", confirmation: "New password, once more",
                remarks: { $0.hints(username: username).map { "Hint: \($0)" } }, offer: offerPassword)
        }.text
    }

    /// Makes a password, if the person wants that. It is shown on the terminal and nowhere else.
    private func offerPassword() throws(PromptError) -> Secret? {
        guard let terminal, try terminal.confirm("Shall one be made for you?", default: false) else { return nil }
        var source = SystemRandomNumberGenerator()
        let password = Secret.generated(using: &source)
        terminal.show("Your password, which is shown this once: \(password.text)")
        _ = try terminal.ask("Press Enter when you have kept it")
        return password
    }
}

extension Secret {
    /// What can be said about a password without knowing the tenant's rules; the tenant alone decides.
    func hints(username: String) -> [String] {
        let characters = text.lowercased()
        let name = username.lowercased().prefix { $0 != "@" }
        var hints: [String] = []
        if characters.count < 8 {
            hints.append("that has \(characters.count) characters, and most tenants want 8 or more.")
        }
        if Set(characters).count < 4 { hints.append("that repeats a few characters.") }
        if name.count > 2, characters.contains(name) { hints.append("that contains the address.") }
        if !hints.isEmpty { hints.append("Enter alone starts again.") }
        return hints
    }

    /// A password of 20 characters in four groups, with all kinds of characters and none that look alike: 104 bits.
    static func generated(using source: inout some RandomNumberGenerator) -> Secret {
        let kinds = ["abcdefghijkmnpqrstuvwxyz", "ABCDEFGHJKLMNPQRSTUVWXYZ", "23456789"].map(Array.init)
        let all = kinds.flatMap { $0 }
        while true {
            let groups = (1...4).map { _ in String((1...5).compactMap { _ in all.randomElement(using: &source) }) }
            let text = groups.joined(separator: "-")
            if kinds.allSatisfy({ kind in text.contains { kind.contains($0) } }) { return Secret(text) }
        }
    }
}
