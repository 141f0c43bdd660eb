// SPDX-License-Identifier: Apache-2.0

import TenantTesting

/// The calls that open flows, and refreshes, which belong to none.
extension ModelWorld {
    func signUp(_ address: String, app: String, password: String?, attributes: Bool, _ abilities: Abilities) throws {
        var more = abilities.field
        if let password { more += "&password=\(password)" }
        if attributes { more += "&attributes=\(Self.country)" }
        let answer = try scene.start(address, app: app, more)
        let expected: Outcome = accounts[address] == nil ? .ok : .userExists
        guard let index = try open(.signUpOpened, address, app, abilities, answer, expected) else { return }
        flows[index].password = app == Self.codeApp ? nil : password
        flows[index].hasAttributes = attributes
    }

    func signIn(_ address: String, app: String, _ abilities: Abilities) throws {
        let answer = try scene.initiate(address, app: app, abilities.field)
        _ = try open(.signInOpened, address, app, abilities, answer, accounts[address] == nil ? .userUnknown : .ok)
    }

    func reset(_ address: String, app: String, _ abilities: Abilities) throws {
        let answer = try scene.resetStart(address, app: app, abilities.field)
        let account = accounts[address]
        let expected: Outcome = account == nil ? .userUnknown : account?.password == nil ? .noRecovery : .ok
        _ = try open(.resetOpened, address, app, abilities, answer, expected)
    }

    /// - Returns: The new flow's index, if one was opened.
    private func open(
        _ place: Place, _ address: String, _ app: String, _ abilities: Abilities, _ answer: RawAnswer,
        _ expected: Outcome
    ) throws -> Int? {
        let outcome = Outcome(answer)
        trace.append("\(now) open \(place.rawValue) \(address) -> \(outcome)")
        try demand(outcome, expected, at: "open \(place.rawValue)")
        guard outcome == .ok else { return nil }
        try demand(owners[answer.token] == nil, "open \(place.rawValue): a token that was there before")
        owners[answer.token] = flows.count
        flows.append(
            ModelFlow(
                app: app, address: address, canProveMore: abilities.contains(.proveMore),
                canRegister: abilities.contains(.register), place: place, token: answer.token, tokens: [answer.token],
                opened: now, expires: now + 600, generation: accounts[address]?.generation ?? 0))
        return flows.count - 1
    }

    /// What a client says that it can do.
    struct Abilities: OptionSet {
        let rawValue: Int

        static let proveMore = Abilities(rawValue: 1)
        static let register = Abilities(rawValue: 2)

        var field: String {
            let words = [(Self.proveMore, "mfa_required"), (.register, "registration_required")].filter {
                contains($0.0)
            }
            return words.isEmpty ? "" : "&capabilities=" + words.map(\.1).joined(separator: "+")
        }
    }
}

// MARK: - Refreshes

extension ModelWorld {
    /// The newest token leads to the next one, the one before to the newest; any older one ends the family.
    func refresh(_ secret: String, app: String) throws {
        let answer = try scene.refresh(secret, app: app)
        let outcome = Outcome(answer)
        trace.append("\(now) refresh -> \(outcome)")
        guard let index = families.firstIndex(where: { $0.tokens.contains(secret) && $0.app == app }),
            let age = families[index].tokens.reversed().firstIndex(of: secret).map({ $0.base }),
            !families[index].isRevoked, now < families[index].expires
        else { return try demand(outcome, .deadRefreshToken, at: "refresh") }
        let older = families[index].tokens.count - age
        guard older <= 1 else {
            families[index].isRevoked = true
            return try demand(outcome, .deadRefreshToken, at: "refresh with a copied token")
        }
        try demand(outcome, .tokens, at: "refresh")
        families[index].expires = now + families[index].life
        if older == 0 {
            try demand(!families[index].tokens.contains(answer.refreshToken), "refresh: no new token")
            families[index].tokens.append(answer.refreshToken)
        } else {
            try demand(answer.refreshToken == families[index].tokens.last, "refresh: the newest token has changed")
        }
    }
}
