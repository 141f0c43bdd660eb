// SPDX-License-Identifier: Apache-2.0

import Wire

/// A flow for a name that leads nowhere. It is answered like any other and fails when its proof does not hold, which no
/// proof does: so does a tenant of the profile `strict` tell nobody who has an account (OWASP ASVS 5.0, 6.3.8).
struct Decoy: Sendable, Codable {
    /// The address that was asked for, or one that stands for an alias; nothing is sent to it.
    var username: EmailAddress
    /// Whether it is asked for a password.
    var hasPassword: Bool

    /// The account that there is not. Its password fits nothing, and finding that out takes as long as with any other.
    var account: StoredAccount { StoredAccount(nobody: username, password: hasPassword ? "" : nil) }
}

/// Whom a name means.
enum Named {
    case account(StoredAccount)
    case decoy(Decoy)
}

extension IdentityProvider {
    /// Whether answers tell nobody who has an account.
    var isDiscreet: Bool { settings.profile == .strict }

    /// Whom a person means at a sign-in.
    ///
    /// - Throws: A refusal for what cannot be a name and, where the tenant is not discreet, for a name that is nobody's.
    func named(_ name: String, _ userFlow: UserFlow, _ connection: inout Connection) throws -> Named {
        guard isDiscreet else { return .account(try account(calling: name, &connection)) }
        if let found = try findAccount(calling: name, &connection), !found.status.isDisabled { return .account(found) }
        return .decoy(try decoy(for: name, userFlow))
    }

    /// An alias always goes with a password.
    func decoy(for name: String, _ userFlow: UserFlow) throws -> Decoy {
        if let address = EmailAddress(name) {
            return Decoy(username: address, hasPassword: userFlow.method == .password)
        }
        guard let stand = EmailAddress(name + "@tenant.invalid") else { throw Refusal.missing("username") }
        return Decoy(username: stand, hasPassword: true)
    }

    /// What a client is told about the way of a code, where the account's own address would tell that there is one: made of
    /// the name as it was typed.
    func discreetLabel(for name: String) -> String? {
        isDiscreet ? EmailAddress(name)?.masked ?? "***" : nil
    }

    func account(of draft: SignInDraft, _ connection: inout Connection) throws -> StoredAccount? {
        if let decoy = draft.decoy { return decoy.account }
        return try account(draft.account, &connection)
    }

    /// What the owner of an address is told instead of a code where somebody signs up with it again.
    func notice(
        _ purpose: CodeMessage.Purpose, to contact: Contact, _ exchange: Exchange, _ connection: inout Connection
    ) throws {
        try post(
            CodeMessage(
                purpose: purpose, to: contact, code: "", lifetime: 86400, id: random.uuid(), date: exchange.time),
            exchange, &connection)
    }
}

/// What goes out when a code is asked for.
enum CodeDelivery {
    case code
    /// The flow leads nowhere, and its code is told nobody.
    case nothing
    /// The same, and the owner of the address hears of it.
    case notice
}
