// SPDX-License-Identifier: Apache-2.0

import Console
import LineEditor
import NativeAuth
import Wire

/// A profile that is being made, from flags and from a person's answers.
struct ProfileDraft {
    private(set) var name: String
    private(set) var authority: String?
    /// In place of an authority.
    private(set) var issuer: String?
    private(set) var clientID: String?
    private let person: Terminal?
    private let asksForName: Bool

    /// - Parameter existing: What the file says already; it is offered again.
    init(_ choice: ProfileChoice, _ person: Terminal?, existing: ConfigurationFile) throws {
        self.person = person
        name = choice.profile ?? "work"
        asksForName = choice.profile == nil
        authority =
            try choice.authority.map { try Authority(named: $0).description }
            ?? existing.value(.authority, of: name)?.string
        issuer = try choice.issuer.map { text in try ProviderAddress.issuer(text).authority.description }
        if issuer != nil { authority = nil }
        guard issuer == nil || choice.authority == nil else {
            throw CommandFailure(.usage, "config init: give one of --authority and --issuer.")
        }
        clientID = choice.clientID ?? existing.value(.clientID, of: name)?.string
        guard Profile.isName(name) else { throw Profile.badName(name) }
    }

    /// Asks for what is missing.
    ///
    /// - Throws: ``CommandFailure`` that names all that is missing, where there is nobody to ask.
    mutating func complete() throws {
        guard let person else { return try requireAll() }
        if asksForName {
            name = try person.answered("Name of the profile", default: name, checkedBy: Profile.checkName)
        }
        if authority == nil, issuer == nil {
            authority = try person.answered("Tenant, as contoso or https://…", default: nil) {
                text throws(CommandFailure) in
                try Authority(named: text).description
            }
        }
        if clientID == nil {
            clientID = try person.answered("Client id of the app", default: nil) { text throws(CommandFailure) in text }
        }
    }

    private func requireAll() throws {
        let missing = [("--authority", authority ?? issuer), ("--client-id", clientID)].filter { $0.1 == nil }.map(\.0)
        guard missing.isEmpty else {
            throw CommandFailure(
                .usage,
                "config init: \(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") missing, and there is nobody to ask.",
                hint: "Give it, or run the command in a terminal.")
        }
    }

    /// Whether the person wants that; nobody wants nothing.
    func isWanted(in question: String) throws -> Bool {
        try person?.confirm(question, default: false) ?? false
    }

    func write(to file: inout ConfigurationFile, asDefault: Bool) {
        file.set(.authority, of: name, to: authority.map { .string($0) })
        file.set(.issuer, of: name, to: issuer.map { .string($0) })
        file.set(.clientID, of: name, to: clientID.map { .string($0) })
        if asDefault { file.set(.profile, of: name, to: .string(name)) }
    }
}

extension Terminal {
    /// Asks until the answer is one.
    fileprivate func answered(
        _ question: String, default standard: String?, checkedBy check: (String) throws(CommandFailure) -> String
    ) throws -> String {
        while true {
            let text = try ask(question, default: standard)
            if text.isEmpty { continue }
            do throws(CommandFailure) { return try check(text) } catch { warn(error.message) }
        }
    }
}
